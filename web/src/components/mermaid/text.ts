/** How much room text takes, near enough: it is drawn in one size. */
export const LETTER = 7.1;
export const ROW = 16;
/** A picture shrinks to the room that it has, down to this part of its size; below that it is scrolled. */
export const SMALLEST = 0.75;

/** In rows of at most this many letters; a word that is longer is cut. */
export function wrapped(text: string, most: number): string[] {
  return text.split("\n").flatMap((row) => {
    const rows: string[] = [];
    for (const word of row.split(/\s+/).filter(Boolean).flatMap((one) => one.match(new RegExp(`.{1,${most}}`, "gu")) ?? [])) {
      const last = rows.at(-1);
      if (last !== undefined && last.length + word.length < most) rows[rows.length - 1] = `${last} ${word}`;
      else rows.push(word);
    }
    return rows.length > 0 ? rows : [""];
  });
}

export function size(rows: readonly string[]): { width: number; height: number } {
  return rows.length === 0 ? { width: 0, height: 0 } : { width: Math.max(...rows.map((row) => row.length)) * LETTER, height: rows.length * ROW };
}
