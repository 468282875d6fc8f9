/** Markdown of others as a tree of plain values: what makes it a picture of itself knows no HTML, so none gets through. */
import { plain } from "@/lib/format";

export type Inline =
  | { is: "text"; text: string }
  | { is: "code"; text: string }
  | { is: "strong" | "em" | "del"; of: Inline[] }
  /** Only to `http:` and `https:`. */
  | { is: "link"; to: string; of: Inline[] };

export type Block =
  | { is: "heading"; level: number; of: Inline[] }
  | { is: "paragraph"; of: Inline[] }
  | { is: "code"; language: string; text: string }
  | { is: "quote"; of: Block[] }
  | { is: "list"; ordered: boolean; items: { done: boolean | null; of: Block[] }[] }
  | { is: "table"; head: Inline[][]; rows: Inline[][][] }
  | { is: "line" };

// deeper nesting is shown as text: a text of others must not be able to exhaust the stack
const DEEPEST = 6;
const FENCE = /^(`{3,}|~{3,})\s*([\w+-]*)/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const BULLET = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export function blocksOf(text: string, depth = 0): Block[] {
  return read(plain(text).replace(/\t/g, "    ").split("\n"), depth);
}

function read(lines: string[], depth: number): Block[] {
  if (depth > DEEPEST) return [{ is: "paragraph", of: [{ is: "text", text: lines.join("\n") }] }];
  const blocks: Block[] = [];
  let at = 0;
  const take = (test: (line: string, index: number) => boolean): string[] => {
    const from = at;
    while (at < lines.length && test(lines[at] ?? "", at - from)) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (line.trim() === "") at += 1;
    else if (fence) {
      at += 1;
      const text = take((one) => !one.trimEnd().startsWith(fence[1] ?? "```"));
      at += 1;
      blocks.push({ is: "code", language: fence[2] ?? "", text: text.join("\n") });
    } else if (heading) {
      at += 1;
      blocks.push({ is: "heading", level: heading[1]?.length ?? 1, of: inlines(heading[2] ?? "") });
    } else if (RULE.test(line)) {
      at += 1;
      blocks.push({ is: "line" });
    } else if (line.startsWith(">")) {
      const quoted = take((one) => one.startsWith(">"));
      blocks.push({ is: "quote", of: read(quoted.map((one) => one.replace(/^>\s?/, "")), depth + 1) });
    } else if (BULLET.test(line)) {
      blocks.push(listOf(take((one, index) => index === 0 || one.trim() === "" ? hasMore(lines, at, index) : isOfList(line, one)), depth));
    } else if (line.includes("|") && TABLE_RULE.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-")) {
      const [head, , ...rows] = take((one) => one.includes("|"));
      blocks.push({ is: "table", head: cellsOf(head ?? ""), rows: rows.map(cellsOf) });
    } else {
      const said = take((one, index) => one.trim() !== "" && (index === 0 || !(FENCE.test(one) || HEADING.test(one) || one.startsWith(">") || BULLET.test(one) || RULE.test(one))));
      blocks.push({ is: "paragraph", of: inlines(said.join("\n")) });
    }
  }
  return blocks;
}

/** Its next item, or what belongs to an item. A mark of the other sort at its edge begins another list. */
function isOfList(first: string, line: string): boolean {
  if (/^\s{2,}/.test(line)) return true;
  const [one, other] = [BULLET.exec(first), BULLET.exec(line)];
  return other !== null && /\d/.test(one?.[2] ?? "") === /\d/.test(other[2] ?? "");
}

/** An empty line belongs to a list where the list continues behind it. */
function hasMore(lines: string[], at: number, index: number): boolean {
  if (index === 0) return true;
  return isOfList(lines[at - index] ?? "", lines[at + 1] ?? "") && lines[at + 1]?.trim() !== "";
}

function listOf(lines: string[], depth: number): Block {
  const first = BULLET.exec(lines[0] ?? "");
  const indent = first?.[1]?.length ?? 0;
  const items: string[][] = [];
  for (const line of lines) {
    const found = BULLET.exec(line);
    if (found && (found[1]?.length ?? 0) <= indent + 1) items.push([found[3] ?? ""]);
    else items.at(-1)?.push(line.replace(new RegExp(`^ {0,${indent + 4}}`), (spaces) => (spaces.length >= indent + 2 ? spaces.slice(indent + 2) : "")));
  }
  return {
    is: "list",
    ordered: /\d/.test(first?.[2] ?? ""),
    items: items.map(([head = "", ...rest]) => {
      const box = /^\[([ xX])\]\s+(.*)$/.exec(head);
      return { done: box ? box[1] !== " " : null, of: read([box?.[2] ?? head, ...rest], depth + 1) };
    }),
  };
}

function cellsOf(line: string): Inline[][] {
  const inner = line.trim().replace(/^\||\|$/g, "");
  return inner.split(/(?<!\\)\|/).map((cell) => inlines(cell.trim().replaceAll("\\|", "|")));
}

// in the order in which they are looked for; a piece that none of them fits is text
const SPANS: [RegExp, (found: RegExpExecArray, depth: number) => Inline][] = [
  [/`([^`\n]+)`/, (found) => ({ is: "code", text: found[1] ?? "" })],
  [/\[([^\]\n]{1,500})\]\((https?:\/\/[^\s)]{1,2000})\)/, (found, depth) => ({ is: "link", to: found[2] ?? "", of: inlines(found[1] ?? "", depth + 1) })],
  [/\bhttps?:\/\/[^\s<>()]{1,2000}[^\s<>().,;:!?'"]/, (found) => ({ is: "link", to: found[0], of: [{ is: "text", text: found[0] }] })],
  [/\*\*([^*\n]+)\*\*|__([^_\n]+)__/, (found, depth) => ({ is: "strong", of: inlines(found[1] ?? found[2] ?? "", depth + 1) })],
  [/~~([^~\n]+)~~/, (found, depth) => ({ is: "del", of: inlines(found[1] ?? "", depth + 1) })],
  [/(?<![\w*])\*([^*\s][^*\n]*)\*(?!\w)|(?<![\w_])_([^_\s][^_\n]*)_(?!\w)/, (found, depth) => ({ is: "em", of: inlines(found[1] ?? found[2] ?? "", depth + 1) })],
];

function inlines(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  let rest = text;
  while (rest !== "") {
    const next = depth > DEEPEST ? null : earliest(rest);
    if (!next) {
      found.push({ is: "text", text: rest });
      break;
    }
    if (next.at.index > 0) found.push({ is: "text", text: rest.slice(0, next.at.index) });
    found.push(next.make(next.at, depth));
    rest = rest.slice(next.at.index + next.at[0].length);
  }
  return found;
}

function earliest(text: string) {
  let best: { at: RegExpExecArray; make: (typeof SPANS)[number][1] } | null = null;
  for (const [pattern, make] of SPANS) {
    const at = pattern.exec(text);
    if (at && (best === null || at.index < best.at.index)) best = { at, make };
  }
  return best;
}
