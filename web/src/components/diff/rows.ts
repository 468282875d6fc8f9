/** A diff as the rows of a list: one line each, or both sides next to each other. */
import type { FileDiff, Line } from "@/lib/hunks";

export type Layout = "unified" | "split";

export type DiffRow =
  | { is: "file"; file: FileDiff; folded: boolean }
  | { is: "hunk"; header: string }
  | { is: "note"; text: string }
  /** `other` is what it became, or what it was. */
  | { is: "line"; line: Line; other: Line | null }
  | { is: "pair"; left: Line | null; right: Line | null };

export function rowsOf(files: FileDiff[], layout: Layout, folded: ReadonlySet<string>): DiffRow[] {
  return files.flatMap((file): DiffRow[] => {
    const head: DiffRow = { is: "file", file, folded: folded.has(file.path) };
    if (head.folded) return [head];
    const notes = file.notes.map((text): DiffRow => ({ is: "note", text }));
    const hunks = file.hunks.flatMap((hunk): DiffRow[] => [{ is: "hunk", header: hunk.header }, ...linesOf(hunk.lines, layout)]);
    return [head, ...notes, ...hunks];
  });
}

function linesOf(lines: Line[], layout: Layout): DiffRow[] {
  return runs(lines).flatMap(([gone, come, same]): DiffRow[] => {
    if (same) return [layout === "split" ? { is: "pair", left: same, right: same } : { is: "line", line: same, other: null }];
    if (layout === "split") {
      const longest = Math.max(gone.length, come.length);
      return Array.from({ length: longest }, (_, at) => ({ is: "pair", left: gone[at] ?? null, right: come[at] ?? null }));
    }
    // only where as many lines came as went is it clear what became of which
    const paired = gone.length === come.length;
    return [
      ...gone.map((line, at): DiffRow => ({ is: "line", line, other: paired ? (come[at] ?? null) : null })),
      ...come.map((line, at): DiffRow => ({ is: "line", line, other: paired ? (gone[at] ?? null) : null })),
    ];
  });
}

/** Removed lines with the added ones that follow them; any other line by itself. */
function runs(lines: Line[]): [gone: Line[], come: Line[], same: Line | null][] {
  const found: [Line[], Line[], Line | null][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    const open = last && last[2] === null ? last : undefined;
    if (line.kind === "-" && open && open[1].length === 0) open[0].push(line);
    else if (line.kind === "+" && open) open[1].push(line);
    else if (line.kind === "-") found.push([[line], [], null]);
    else if (line.kind === "+") found.push([[], [line], null]);
    else found.push([[], [], line]);
  }
  return found;
}

function isSecondHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Where two versions of a line differ: before, within, after. */
export function changed(text: string, other: string | null): [string, string, string] {
  if (other === null) return [text, "", ""];
  let start = 0;
  while (start < text.length && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(text.length, other.length) - start && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  // half a character is none
  if (isSecondHalf(text, start)) start -= 1;
  if (isSecondHalf(text, text.length - end)) end -= 1;
  // a line that is altogether another one is not marked: there is nothing to point at; nor is one with signs that join
  if (start + end === 0 || /[\u200C\u200D]/.test(text)) return [text, "", ""];
  return [text.slice(0, start), text.slice(start, text.length - end), text.slice(text.length - end)];
}
