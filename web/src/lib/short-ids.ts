/** Short ids, H-1042 and R-77: people read and type them; everything in the cache is known by the long ones. */
export const SHORT_ID = /^[HR]-[1-9][0-9]{0,17}$/i;

/** The long id of what a short one means; null where it is no short one, or the page itself will say what is wrong. */
export async function longId(given: string, find: (short: string) => Promise<string>): Promise<string | null> {
  if (!SHORT_ID.test(given)) return null;
  try {
    return await find(given);
  } catch {
    return null;
  }
}
