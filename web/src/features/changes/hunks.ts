/** Which hunks and files of a change are left out of it. */
import type { LeftOut } from "@/lib/change-holds";

export function isLeftOut(left: readonly LeftOut[], path: string, hunk: string | null): boolean {
  const found = left.find((one) => one.path === path);
  return found !== undefined && (found.hunks.length === 0 || (hunk !== null && found.hunks.includes(hunk)));
}

/** The same with this hunk, or the whole file, the other way round. `all` are the file's hunks. */
export function toggled(left: readonly LeftOut[], path: string, hunk: string | null, all: readonly string[]): LeftOut[] {
  const others = left.filter((one) => one.path !== path);
  const known = left.find((one) => one.path === path);
  if (hunk === null) return known?.hunks.length === 0 ? others : [...others, { path, hunks: [] }];
  const before = known === undefined ? [] : known.hunks.length === 0 ? [...all] : known.hunks;
  const hunks = before.includes(hunk) ? before.filter((one) => one !== hunk) : [...before, hunk];
  if (hunks.length === 0) return others;
  return [...others, { path, hunks: hunks.length === all.length ? [] : hunks }];
}
