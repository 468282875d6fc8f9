/** What the words of a piece of code are, line by line, in as few kinds as a reader tells apart. */
import type { Root, RootContent } from "hast";

export const MARKS = ["comment", "keyword", "string", "number", "name", "type"] as const;
export type Mark = (typeof MARKS)[number];

export interface Span {
  from: number;
  to: number;
  mark: Mark;
}

// by the first word of the library's own names for them
const OF: Record<string, Mark> = {
  "hljs-attr": "name",
  "hljs-attribute": "name",
  "hljs-built_in": "type",
  "hljs-bullet": "keyword",
  "hljs-class": "type",
  "hljs-code": "string",
  "hljs-comment": "comment",
  "hljs-doctag": "comment",
  "hljs-keyword": "keyword",
  "hljs-literal": "number",
  "hljs-meta": "comment",
  "hljs-name": "keyword",
  "hljs-number": "number",
  "hljs-property": "name",
  "hljs-quote": "comment",
  "hljs-regexp": "string",
  "hljs-section": "keyword",
  "hljs-selector-class": "name",
  "hljs-selector-id": "name",
  "hljs-selector-tag": "keyword",
  "hljs-string": "string",
  "hljs-symbol": "number",
  "hljs-tag": "keyword",
  "hljs-title": "name",
  "hljs-type": "type",
};

/** Four numbers each: line, from, to, mark. So it crosses to the page without being copied piece by piece. */
export function flattened(tree: Root): Uint32Array {
  const found: number[] = [];
  let [line, column] = [0, 0];
  function walk(nodes: readonly RootContent[], mark: Mark | null): void {
    for (const node of nodes) {
      if (node.type === "element") {
        const names = node.properties["className"];
        const own = Array.isArray(names) ? OF[String(names[0])] : undefined;
        walk(node.children, own ?? mark);
      } else if (node.type === "text") {
        for (const [index, text] of node.value.split("\n").entries()) {
          if (index > 0) [line, column] = [line + 1, 0];
          if (mark && text !== "") found.push(line, column, column + text.length, MARKS.indexOf(mark));
          column += text.length;
        }
      }
    }
  }
  walk(tree.children, null);
  return Uint32Array.from(found);
}

/** By line; lines without any have none. */
export function unflattened(flat: Uint32Array): Map<number, Span[]> {
  const lines = new Map<number, Span[]>();
  for (let at = 0; at + 3 < flat.length; at += 4) {
    const line = flat[at] ?? 0;
    const spans = lines.get(line) ?? [];
    spans.push({ from: flat[at + 1] ?? 0, to: flat[at + 2] ?? 0, mark: MARKS[flat[at + 3] ?? 0] ?? "comment" });
    lines.set(line, spans);
  }
  return lines;
}

export interface Piece {
  text: string;
  mark: Mark | null;
  /** Within the part that differs from the other version of the line. */
  differs: boolean;
}

/** A line cut where its colour or its difference begins or ends; nothing of it is lost. */
export function pieces(text: string, spans: readonly Span[], [begins, ends]: readonly [number, number]): Piece[] {
  const cuts = [...new Set([0, text.length, begins, ends, ...spans.flatMap((span) => [span.from, span.to])])].filter((at) => at >= 0 && at <= text.length).sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, index) => {
    const to = cuts[index + 1] ?? text.length;
    const span = spans.find((one) => one.from <= from && to <= one.to);
    return { text: text.slice(from, to), mark: span?.mark ?? null, differs: begins <= from && to <= ends };
  });
}
