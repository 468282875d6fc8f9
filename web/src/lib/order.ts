/** The list as it stands, for whoever wants to go to the next hold: the hold page, after a decision. */
let ids: readonly string[] = [];

export function setOrder(shown: readonly string[]): void {
  ids = shown;
}

/** The one below this, or else above it; nothing where it is alone. Those in `gone` are passed over. */
export function neighbour(id: string, gone: ReadonlySet<string> = new Set()): string | null {
  const at = ids.indexOf(id);
  const left = ids.filter((each, index) => index > at && each !== id && !gone.has(each));
  const right = ids.filter((each, index) => index < at && each !== id && !gone.has(each));
  return left[0] ?? right.at(-1) ?? null;
}
