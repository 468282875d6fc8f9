/** A run's way through its graph, read from its story: which nodes it visited, how long each took, where it is. */
import { edgesOf, type Edge } from "@/features/runs/diagram";
import type { Part } from "@/lib/story";

type Step = Extract<Part, { is: "step" }>;

export interface Visit {
  /** The number of its event. */
  seq: number;
  step: number;
  at: string;
  /** At work, in milliseconds; waiting for people is not in it. */
  took: number;
  update: unknown;
  truncated: boolean;
  /** The values that it changed, as they were before: as far as earlier steps reported them. */
  before: Record<string, unknown>;
}

export interface Trace {
  /** By node, in the order of their first visit. */
  visits: Map<string, Visit[]>;
  /** How often each way was taken, by `from to`. */
  ways: Map<string, number>;
  /** The nodes whose end was told last. */
  last: string[];
  /** In milliseconds, for people. */
  waited: number;
}

const START = "__start__";
const END = "__end__";

export function way(from: string, to: string): string {
  return `${from} ${to}`;
}

/** A step within a subgraph counts for the node of the picture that holds it. */
export function nodeOf(step: Step, known: ReadonlySet<string>): string {
  const outer = step.namespace.split(/[:|]/)[0] ?? "";
  const inner = `${outer}:${step.node}`;
  if (outer === "") return step.node;
  return known.has(inner) ? inner : outer;
}

/** `input` is what the first steps find. */
export function traced(parts: readonly Part[], edges: readonly Edge[], input: unknown): Trace {
  const known = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
  const trace: Trace = { visits: new Map(), ways: new Map(), last: [], waited: 0 };
  const state: Record<string, unknown> = isObject(input) ? { ...input } : {};
  // nodes of one step run side by side: they begin together, where the step before ended
  let began = Date.parse(parts[0]?.at ?? "");
  let ended = began;
  let asked: number | null = null;
  let round: { step: number; nodes: string[]; from: string[] } = { step: -1, nodes: [], from: [START] };
  for (const part of parts) {
    const at = Date.parse(part.at);
    if (part.is === "hold") asked ??= at;
    if (part.is === "mark" && (part.of === "resumption" || part.of === "retry")) {
      if (asked !== null) trace.waited += Math.max(0, at - asked);
      asked = null;
      began = ended = at;
    }
    if (part.is !== "step") continue;
    const node = nodeOf(part, known);
    if (part.step !== round.step && part.namespace === "") {
      round = { step: part.step, nodes: [], from: round.nodes.length > 0 ? round.nodes : round.from };
      began = ended;
    }
    const visits = trace.visits.get(node) ?? [];
    visits.push({ seq: part.seq, step: part.step, at: part.at, took: Math.max(0, at - began), update: part.update, truncated: part.truncated, before: before(state, part.update) });
    trace.visits.set(node, visits);
    if (isObject(part.update) && !part.truncated) Object.assign(state, part.update);
    if (!round.nodes.includes(node)) {
      round.nodes.push(node);
      for (const from of came(round.from, node, edges)) trace.ways.set(way(from, node), (trace.ways.get(way(from, node)) ?? 0) + 1);
    }
    ended = at;
  }
  trace.last = round.nodes;
  return trace;
}

/** From which of those that ended before: those with an edge to it, or all where the picture knows none. */
function came(from: readonly string[], to: string, edges: readonly Edge[]): string[] {
  const known = from.filter((one) => edges.some((edge) => edge.from === one && edge.to === to));
  return known.length > 0 ? known : edges.length === 0 ? [...from] : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function before(state: Record<string, unknown>, update: unknown): Record<string, unknown> {
  if (!isObject(update)) return {};
  return Object.fromEntries(Object.keys(update).flatMap((name) => (name in state ? [[name, state[name]]] : [])));
}

/** The graph as the workflow draws it; where it draws none, as the run went. */
export function edgesFor(diagram: string | null | undefined, parts: readonly Part[]): Edge[] {
  const drawn = diagram ? edgesOf(diagram) : [];
  if (drawn.length > 0) return drawn;
  const { ways } = traced(parts, [], null);
  return [...ways.keys()].map((key) => {
    const [from = "", to = ""] = key.split(" ");
    return { from, to, conditional: false };
  });
}

export type NodeState = "done" | "here" | "waits" | "failed" | "ahead";

/** Where it stands at a moment: after the nodes that ended last comes one of those that they lead to. */
export function standing(trace: Trace, edges: readonly Edge[], { status, failedAt }: { status: string; failedAt: string | null }): Map<string, NodeState> {
  const found = new Map<string, NodeState>();
  for (const id of new Set(edges.flatMap((edge) => [edge.from, edge.to]))) found.set(id, trace.visits.has(id) ? "done" : "ahead");
  found.set(START, "done");
  if (status === "completed") found.set(END, "done");
  if (failedAt !== null) found.set(failedAt, "failed");
  if (status !== "running" && status !== "paused") return found;
  const last = trace.last.length > 0 ? trace.last : [START];
  const next = new Set(edges.filter((edge) => last.includes(edge.from) && edge.to !== END).map((edge) => edge.to));
  // more than one: which of them the run is in, the story does not say yet
  for (const id of next) if (next.size === 1 || !trace.visits.has(id)) found.set(id, status === "paused" ? "waits" : "here");
  return found;
}
