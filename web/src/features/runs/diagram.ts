/** A graph's Mermaid text, read as nodes and edges, and laid out in rows from its start to its end. */

export interface Edge {
  from: string;
  to: string;
  /** Taken or not, as the run goes. */
  conditional: boolean;
}

export interface Box {
  id: string;
  label: string;
  x: number;
  y: number;
  width: number;
}

export interface Drawing {
  boxes: Box[];
  edges: Edge[];
  width: number;
  height: number;
}

export const BOX_PX = 32;
const ROW_PX = 68;
const GAP_PX = 24;
const LETTER_PX = 7.6;
// for the edges that lead back
const MARGIN_PX = 48;

// plain or dashed, with or without words on them
const EDGE = /^(\S+)\s+(-->|-\.->|--\s.*-->|-\.\s.*\.->)\s+(\S+?);?$/;

export function edgesOf(mermaid: string): Edge[] {
  return mermaid.split("\n").flatMap((row) => {
    const found = EDGE.exec(row.trim());
    if (!found?.[1] || !found[3]) return [];
    return [{ from: decoded(found[1]), to: decoded(found[3]), conditional: found[2]?.startsWith("-.") ?? false }];
  });
}

/** Colons and other characters of names are written as `\3a`. */
function decoded(id: string): string {
  return id.replace(/\\([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

export function label(id: string): string {
  return id === "__start__" ? "start" : id === "__end__" ? "end" : (id.split(":").at(-1) ?? id);
}

export function drawn(mermaid: string): Drawing | null {
  const edges = edgesOf(mermaid);
  if (edges.length === 0) return null;
  const rows = rowsOf(edges);
  const widths = rows.map((row) => row.reduce((sum, id) => sum + widthOf(id) + GAP_PX, -GAP_PX));
  const inner = Math.max(...widths);
  const boxes = rows.flatMap((row, index) => {
    let x = MARGIN_PX + (inner - (widths[index] ?? 0)) / 2;
    return row.map((id) => {
      const box = { id, label: label(id), x, y: index * ROW_PX + 1, width: widthOf(id) };
      x += box.width + GAP_PX;
      return box;
    });
  });
  return { boxes, edges, width: inner + 2 * MARGIN_PX, height: (rows.length - 1) * ROW_PX + BOX_PX + 2 };
}

function widthOf(id: string): number {
  return Math.max(56, label(id).length * LETTER_PX + 28);
}

/** Each node one row below the lowest of those that lead to it; edges that lead back do not count. */
function rowsOf(edges: Edge[]): string[][] {
  const rank = new Map<string, number>();
  const path = new Set<string>();
  function visit(id: string, depth: number): void {
    if (path.has(id) || (rank.get(id) ?? -1) >= depth) return;
    rank.set(id, depth);
    path.add(id);
    for (const edge of edges) if (edge.from === id) visit(edge.to, depth + 1);
    path.delete(id);
  }
  visit(edges[0]?.from ?? "", 0);
  for (const edge of edges) if (!rank.has(edge.from)) visit(edge.from, 0);
  const rows: string[][] = [];
  for (const [id, at] of rank) (rows[at] ??= []).push(id);
  return rows.filter(Boolean);
}
