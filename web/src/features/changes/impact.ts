/** What a change reaches, as a picture: modules in columns, from what changes to what depends on it. */
import type { Impact } from "@/features/changes/model";
import { TEXTS } from "@/features/changes/texts";

const WORDS = TEXTS.impact;

export type Kind = "changed" | "new" | "reached" | "test" | "endpoint";

export interface Node {
  id: string;
  label: string;
  kind: Kind;
  x: number;
  y: number;
}

export interface Edge {
  from: string;
  to: string;
  verb: string;
}

export interface Picture {
  nodes: Node[];
  edges: Edge[];
  /** What did not fit. */
  more: string | null;
  width: number;
  height: number;
}

export const BOX = { width: 196, height: 30 };
const GAP = { x: 56, y: 12 };
const MOST_LETTERS = 25;

const NODE = /^\s*(n\d+)(\[\("|\{\{"|\["|\(")(.*?)("\)\]|"\}\}|"\]|"\))\s*$/;
const GROUP = /^\s*subgraph \w+\["(.*)"\]\s*$/;
const EDGE = /^\s*(n\d+) (?:-->|-\.->|==>)(?:\|([\w-]+)\|)? (n\d+)\s*$/;
const MORE = /^\s*more\["(.*)"\]\s*$/;
const VERBS: Record<string, string> = { tests: "tests", extends: "extends", implements: "implements", "uses-db": WORDS.storesIn };

/** The modules of the server's diagram: symbols stand for the module that they are in. */
function read(diagram: string): { modules: Map<string, string>; edges: Edge[]; endpoints: Set<string>; more: string | null } {
  const modules = new Map<string, string>();
  const endpoints = new Set<string>();
  const edges: Edge[] = [];
  let group: string | null = null;
  let more: string | null = null;
  for (const row of diagram.split("\n")) {
    const [named, node, edge, left] = [GROUP.exec(row), NODE.exec(row), EDGE.exec(row), MORE.exec(row)];
    if (named) group = decoded(named[1] ?? "");
    else if (row.trim() === "end") group = null;
    else if (node) {
      const label = group ?? decoded(node[3] ?? "");
      modules.set(node[1] ?? "", label);
      if (node[2] === '{{"') endpoints.add(label);
    } else if (edge) edges.push({ from: edge[1] ?? "", to: edge[3] ?? "", verb: VERBS[edge[2] ?? ""] ?? "uses" });
    else if (left) more = decoded(left[1] ?? "");
  }
  return { modules, edges, endpoints, more };
}

function decoded(text: string): string {
  return text.replace(/#quot;/g, '"').replace(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

export function pictured(impact: Impact): Picture | null {
  const { modules, edges: rough, endpoints, more } = read(impact.diagram);
  const edges = new Map<string, Edge>();
  for (const { from, to, verb } of rough) {
    const [a, b] = [modules.get(from), modules.get(to)];
    if (a === undefined || b === undefined || a === b) continue;
    // that it is a test says more than that it uses it
    if (verb !== "uses" || !edges.has(`${a} ${b}`)) edges.set(`${a} ${b}`, { from: a, to: b, verb });
  }
  const changed = new Set(impact.files);
  const names = [...new Set([...impact.files, ...modules.values()])];
  if (names.length === 0) return null;
  const columns = columnsOf(names, changed, [...edges.values()]);
  const tests = new Set(impact.tests.map((one) => one.id.split("::")[0] ?? one.id));
  const kind = (id: string): Kind => {
    if (changed.has(id)) return modules.size > 0 && ![...modules.values()].includes(id) ? "new" : "changed";
    return tests.has(id) ? "test" : endpoints.has(id) ? "endpoint" : "reached";
  };
  const nodes = columns.flatMap((column, x) =>
    column.map((id, y) => ({ id, label: short(id), kind: kind(id), x: x * (BOX.width + GAP.x) + 1, y: y * (BOX.height + GAP.y) + 1 })),
  );
  const tallest = Math.max(...columns.map((column) => column.length));
  return {
    nodes,
    edges: [...edges.values()],
    more,
    width: columns.length * (BOX.width + GAP.x) - GAP.x + 2,
    height: tallest * (BOX.height + GAP.y) - GAP.y + 2,
  };
}

/** What changes first, then each as far away as it is from that. */
function columnsOf(names: string[], changed: Set<string>, edges: Edge[]): string[][] {
  const far = new Map(names.filter((name) => changed.has(name)).map((name) => [name, 0]));
  for (let more = true; more; ) {
    more = false;
    for (const { from, to } of edges) {
      const at = far.get(to);
      if (at !== undefined && !far.has(from)) {
        far.set(from, at + 1);
        more = true;
      }
    }
  }
  const columns: string[][] = [];
  for (const name of names) (columns[far.get(name) ?? 1] ??= []).push(name);
  return columns.filter(Boolean);
}

function short(id: string): string {
  return id.length <= MOST_LETTERS ? id : `…${id.slice(1 - MOST_LETTERS)}`;
}

/** The picture in words. */
export function spoken({ nodes, edges, more }: Picture): string {
  const changed = nodes.filter((node) => node.kind === "changed" || node.kind === "new").map((node) => node.id);
  const said = [WORDS.changes(changed.join(", ")), ...edges.map(({ from, to, verb }) => `${from} ${verb} ${to}`)];
  return `${said.join("; ")}${more ? `; ${more}` : ""}.`;
}
