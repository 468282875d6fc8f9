/** Where the boxes and lines of a chart stand. */
import { graphlib, layout } from "@dagrejs/dagre";
import type { Box, Chart, Group, Line } from "@/components/mermaid/chart";
import { LETTER, ROW, size, wrapped } from "@/components/mermaid/text";

export interface Point {
  x: number;
  y: number;
}

interface Placed extends Point {
  width: number;
  height: number;
}

export type PlacedBox = Box & Placed & { titles: string[] };
export type PlacedGroup = Group & Placed;
export type PlacedLine = Line & { points: Point[]; labels: string[]; at: Point };

export interface Plan {
  width: number;
  height: number;
  boxes: PlacedBox[];
  groups: PlacedGroup[];
  lines: PlacedLine[];
}

const LONGEST = 30;
const LONGEST_LABEL = 22;

export function planned(chart: Chart): Plan {
  const graph = new graphlib.Graph({ compound: true, multigraph: true });
  graph.setGraph({ rankdir: chart.direction, nodesep: 28, ranksep: 44, edgesep: 18, marginx: 8, marginy: 8 });
  for (const group of chart.groups.values()) graph.setNode(group.id, {});
  for (const group of chart.groups.values()) if (group.inside !== null) graph.setParent(group.id, group.inside);
  const titles = new Map<string, string[]>();
  for (const box of chart.boxes.values()) {
    const lines = wrapped(box.title, LONGEST);
    titles.set(box.id, lines);
    graph.setNode(`box ${box.id}`, sized(box, lines));
    if (box.group !== null) graph.setParent(`box ${box.id}`, box.group);
  }
  const lines = chart.anchored().map((line) => ({ ...line, labels: line.label ? wrapped(line.label, LONGEST_LABEL) : [] }));
  for (const [number, line] of lines.entries()) {
    graph.setEdge(`box ${line.from}`, `box ${line.to}`, { ...size(line.labels), labelpos: "c" }, String(number));
  }
  layout(graph);
  const place = (id: string): Placed => graph.node(id) as Placed;
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    boxes: [...chart.boxes.values()].map((box) => ({ ...box, ...placedAt(place(`box ${box.id}`)), titles: titles.get(box.id) ?? [] })),
    // a group that holds nothing has no place
    groups: [...chart.groups.values()].filter((group) => graph.children(group.id).length > 0).map((group) => ({ ...group, ...placedAt(place(group.id)) })),
    lines: lines.map((line, number) => {
      const { points, x = 0, y = 0 } = graph.edge(`box ${line.from}`, `box ${line.to}`, String(number)) as unknown as { points: Point[]; x?: number; y?: number };
      return { ...line, points, at: { x, y } };
    }),
  };
}

function placedAt({ x, y, width, height }: Placed): Placed {
  return { x, y, width, height };
}

function sized(box: Box, titles: string[]): { width: number; height: number } {
  if (box.shape === "start" || box.shape === "end") return { width: 18, height: 18 };
  const title = size(titles);
  const rows = Math.max(0, ...box.rows.map((row) => row.length * LETTER));
  const width = Math.max(44, title.width, rows) + 24;
  const height = title.height + 16 + (box.rows.length > 0 ? box.rows.length * ROW + 10 : 0);
  if (box.shape === "diamond") return { width: width * 1.35, height: height * 1.6 };
  if (box.shape === "circle") return { width: Math.max(width, height), height: Math.max(width, height) };
  return { width: width + (box.shape === "hexagon" ? 16 : 0), height: height + (box.shape === "store" ? 12 : 0) };
}
