/** A unified diff, read file by file and hunk by hunk, with the number of each line. */
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

/** The hunks alone, of the diff of one file. */
export function hunksOf(diff: string, ids: readonly string[] = []): Hunk[] {
  return filesOf(diff)
    .flatMap((file) => file.hunks)
    .map((hunk, index) => ({ ...hunk, id: ids[index] ?? null }));
}

export interface FileDiff {
  path: string;
  /** Where it was before, where it moved. */
  from: string | null;
  status: "added" | "deleted" | "renamed" | "modified";
  added: number;
  deleted: number;
  hunks: Hunk[];
  /** What stands outside of hunks and is no header: shown as it is, since nothing may be hidden. */
  notes: string[];
}

/** In one pass. The lengths of a hunk say where it ends: a line within it that looks like a header is a line. */
export function filesOf(diff: string): FileDiff[] {
  const files: Reading[] = [];
  let [old, now, oldLeft, newLeft] = [0, 0, 0, 0];
  const lines = diff.replace(/\n$/, "").split("\n");
  for (const [at, line] of lines.entries()) {
    let file = files.at(-1);
    const hunk = file?.hunks.at(-1);
    if (hunk && (oldLeft > 0 || newLeft > 0)) {
      const kind = line[0];
      const text = line.slice(1);
      if (kind === "\\") hunk.lines.push({ kind, old: null, new: null, text });
      else if (kind === "+" && newLeft > 0) {
        hunk.lines.push({ kind, old: null, new: now++, text });
        newLeft -= 1;
      } else if (kind === "-" && oldLeft > 0) {
        hunk.lines.push({ kind, old: old++, new: null, text });
        oldLeft -= 1;
      } else {
        // what fits nothing is shown whole
        hunk.lines.push({ kind: " ", old: old++, new: now++, text: kind === " " ? text : line });
        oldLeft -= 1;
        newLeft -= 1;
      }
      continue;
    }
    const begins = line.startsWith("diff --git ") || (line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ") && !isBeginning(file, line));
    if (begins || !file) files.push((file = { head: [], hunks: [], notes: [] }));
    const found = HEADER.exec(line);
    if (found) {
      [old, oldLeft, now, newLeft] = [Number(found[1]), Number(found[2] ?? 1), Number(found[3]), Number(found[4] ?? 1)];
      file.hunks.push({ id: null, header: line, lines: [] });
    } else if (line.startsWith("\\") && file.hunks.length > 0) file.hunks.at(-1)?.lines.push({ kind: "\\", old: null, new: null, text: line.slice(1) });
    else if (file.hunks.length === 0 && HEAD.test(line)) file.head.push(line);
    else if (line.trim() !== "") file.notes.push(line);
  }
  return files.map(fileOf).filter((file) => file.hunks.length > 0 || file.notes.length > 0 || file.path !== "");
}

interface Reading {
  head: string[];
  hunks: Hunk[];
  notes: string[];
}

// what git and other programs write above the first hunk of a file
const HEAD = /^(diff --git |index |--- |\+\+\+ |old mode |new mode |new file mode |deleted file mode |similarity index |rename (from|to) |copy (from|to) |Binary files )/;

/** Git's own line has been there with this name, and the pair of names has not. */
function isBeginning(file: Reading | undefined, pair: string): boolean {
  if (!file || file.hunks.length > 0 || file.head.some((line) => line.startsWith("--- "))) return false;
  const name = nameIn(pair.slice("--- ".length));
  return name === null || (name !== undefined && file.head[0]?.includes(name) === true);
}

function fileOf({ head, hunks, notes }: Reading): FileDiff {
  const said = (mark: string) => head.find((line) => line.startsWith(mark))?.slice(mark.length);
  const old = nameIn(said("--- ") ?? said("rename from ") ?? said("copy from "));
  const now = nameIn(said("+++ ") ?? said("rename to ") ?? said("copy to "));
  const git = / b\/(.+)$/.exec(said("diff --git ") ?? "")?.[1];
  const count = (kind: Line["kind"]) => hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0);
  const from = typeof old === "string" && typeof now === "string" && old !== now ? old : null;
  const binary = head.filter((line) => line.startsWith("Binary files "));
  return {
    path: now ?? old ?? git ?? "",
    from,
    status: old === null || said("new file mode ") !== undefined ? "added" : now === null || said("deleted file mode ") !== undefined ? "deleted" : from ? "renamed" : "modified",
    added: count("+"),
    deleted: count("-"),
    hunks,
    notes: [...binary, ...notes],
  };
}

/** Nothing for a side that has no file, `undefined` where the diff does not say. */
function nameIn(said: string | undefined): string | null | undefined {
  const name = said?.split("\t")[0]?.trim();
  if (name === undefined) return undefined;
  return name === "/dev/null" ? null : name.replace(/^[ab]\//, "");
}
