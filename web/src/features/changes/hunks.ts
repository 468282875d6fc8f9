/** A unified diff, read hunk by hunk with the number of each line. */
import type { LeftOut } from "@/lib/change-holds";

export interface Line {
  kind: "+" | "-" | " " | "\\";
  old: number | null;
  new: number | null;
  text: string;
}

export interface Hunk {
  /** What the server knows it by; nothing in a diff that nobody decides on. */
  id: string | null;
  header: string;
  lines: Line[];
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

export function hunksOf(diff: string, ids: readonly string[] = []): Hunk[] {
  const hunks: Hunk[] = [];
  let [old, now, oldLeft, newLeft] = [0, 0, 0, 0];
  for (const line of diff.split("\n")) {
    const found = oldLeft <= 0 && newLeft <= 0 ? HEADER.exec(line) : null;
    if (found) {
      [old, oldLeft, now, newLeft] = [Number(found[1]), Number(found[2] ?? 1), Number(found[3]), Number(found[4] ?? 1)];
      hunks.push({ id: ids[hunks.length] ?? null, header: line, lines: [] });
      continue;
    }
    const hunk = hunks.at(-1);
    if (!hunk) continue;
    const kind = line[0];
    const text = line.slice(1);
    if (kind === "\\") hunk.lines.push({ kind, old: null, new: null, text });
    // the lengths say where a hunk ends: what follows belongs to the next file
    else if (kind === "+" && newLeft > 0) {
      hunk.lines.push({ kind, old: null, new: now, text });
      now += 1;
      newLeft -= 1;
    } else if (kind === "-" && oldLeft > 0) {
      hunk.lines.push({ kind, old, new: null, text });
      old += 1;
      oldLeft -= 1;
    } else if (oldLeft > 0 && newLeft > 0) {
      hunk.lines.push({ kind: " ", old, new: now, text });
      old += 1;
      now += 1;
      oldLeft -= 1;
      newLeft -= 1;
    }
  }
  return hunks;
}

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
