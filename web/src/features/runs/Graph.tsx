/** The run on its workflow's graph: where it has been and how often, where it is, where it waits; in words as well. */
import { graphlib, layout } from "@dagrejs/dagre";
import { useId, useMemo } from "react";
import { label, type Edge } from "@/features/runs/diagram";
import { TEXTS } from "@/features/runs/texts";
import { way, type NodeState, type Trace } from "@/features/runs/trace";
import { cn } from "@/lib/cn";
import { line } from "@/lib/format";

const WORDS = TEXTS.graph;
const LETTER_PX = 7.6;
const HEIGHT = 46;
const END_HEIGHT = 28;

interface Placed {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Props {
  edges: readonly Edge[];
  trace: Trace;
  states: ReadonlyMap<string, NodeState>;
  onPick: (node: string) => void;
}

const LOOK: Record<NodeState, string> = {
  done: "fill-panel stroke-good",
  here: "fill-accent-soft stroke-accent",
  waits: "fill-high-soft stroke-high",
  failed: "fill-critical-soft stroke-critical",
  ahead: "fill-surface stroke-line-strong",
};
const SIGN: Record<NodeState, string> = { done: "✓", here: "▶", waits: "‖", failed: "✗", ahead: "" };

function isEnd(id: string): boolean {
  return id === "__start__" || id === "__end__";
}

function arranged(edges: readonly Edge[]) {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 28, ranksep: 34, edgesep: 16, marginx: 10, marginy: 6 });
  for (const id of new Set(edges.flatMap((edge) => [edge.from, edge.to]))) {
    const wide = Math.max(isEnd(id) ? 56 : 132, label(id).length * LETTER_PX + 48);
    graph.setNode(id, { width: wide, height: isEnd(id) ? END_HEIGHT : HEIGHT });
  }
  for (const [index, edge] of edges.entries()) graph.setEdge(edge.from, edge.to, { width: 26, height: 12, labelpos: "c" }, String(index));
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const nodes = graph.nodes().map((id) => ({ id, ...(graph.node(id) as Placed) }));
  const lines = edges.map((edge, index) => {
    const { points, x = 0, y = 0 } = graph.edge(edge.from, edge.to, String(index)) as unknown as { points: { x: number; y: number }[]; x?: number; y?: number };
    return { ...edge, points, x, y };
  });
  return { width, height, nodes, lines };
}

/** Round at each bend. */
function path(points: { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? point;
    return `Q${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`;
  });
  const last = rest.at(-1) ?? first;
  return `M${first.x} ${first.y}${bends.join("")}L${last.x} ${last.y}`;
}

export function Graph({ edges, trace, states, onPick }: Props) {
  const plan = useMemo(() => arranged(edges), [edges]);
  const id = useId();
  const of = (node: string) => {
    const visits = trace.visits.get(node) ?? [];
    return { state: states.get(node) ?? "ahead", visits: visits.length, took: visits.reduce((sum, one) => sum + one.took, 0) };
  };
  const inner = plan.nodes.filter((node) => !isEnd(node.id));
  const spoken = inner.map((node) => {
    const { state, visits, took } = of(node.id);
    return WORDS.node(line(label(node.id)), WORDS.states[state], visits, took);
  });
  const done = inner.filter((node) => trace.visits.has(node.id)).length;
  return (
    <figure className="space-y-2">
      <div className="overflow-auto rounded-lg border border-line bg-surface p-2" tabIndex={0} role="group" aria-label={WORDS.title}>
        <svg aria-hidden width={plan.width} height={plan.height} viewBox={`0 0 ${plan.width} ${plan.height}`} className="mx-auto block max-w-none">
          {["taken", "open"].map((kind) => (
            <marker key={kind} id={`${id}-${kind}`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
              <path d="M0 0 8 4 0 8z" className={kind === "taken" ? "fill-good" : "fill-line-strong"} />
            </marker>
          ))}
          {plan.lines.map((one, index) => {
            const times = trace.ways.get(way(one.from, one.to)) ?? (one.to === "__end__" && states.get("__end__") === "done" && trace.last.includes(one.from) ? 1 : 0);
            return (
              <g key={index}>
                <path
                  d={path(one.points)}
                  fill="none"
                  className={times > 0 ? "stroke-good" : "stroke-line-strong"}
                  strokeWidth={times > 0 ? 2 : 1.25}
                  opacity={times > 0 ? 1 : 0.7}
                  markerEnd={`url(#${id}-${times > 0 ? "taken" : "open"})`}
                  {...(one.conditional ? { strokeDasharray: "5 4" } : {})}
                />
                {times > 1 ? (
                  <text x={one.x} y={one.y + 4} textAnchor="middle" fontSize="11" className="fill-good font-semibold">
                    {times}×
                  </text>
                ) : null}
              </g>
            );
          })}
          {plan.nodes.map((node) => {
            const { state, visits, took } = of(node.id);
            const [left, top] = [node.x - node.width / 2, node.y - node.height / 2];
            if (isEnd(node.id)) {
              return (
                <g key={node.id}>
                  <rect x={left} y={top} width={node.width} height={node.height} rx={node.height / 2} className={cn("fill-sunken", state === "done" ? "stroke-good" : "stroke-line")} />
                  <text x={node.x} y={node.y + 4} textAnchor="middle" fontSize="12" className="fill-ink-3">
                    {label(node.id)}
                  </text>
                </g>
              );
            }
            return (
              <g key={node.id} className="cursor-pointer" onClick={() => onPick(node.id)}>
                <rect x={left} y={top} width={node.width} height={node.height} rx="8" strokeWidth={state === "ahead" ? 1.25 : 2} className={cn(LOOK[state], state === "here" && "motion-safe:animate-pulse")} {...(state === "ahead" ? { strokeDasharray: "4 4" } : {})} />
                <text x={left + 12} y={node.y - 3} fontSize="12.5" className={cn("font-mono", state === "ahead" ? "fill-ink-3" : "fill-ink font-medium")}>
                  {line(label(node.id))}
                </text>
                <text x={left + 12} y={node.y + 14} fontSize="11" className="fill-ink-2">
                  {SIGN[state]} {state === "waits" || state === "failed" || state === "here" ? WORDS.states[state] : visits > 0 ? WORDS.brief(visits, took) : WORDS.states.ahead}
                </text>
                <title>{WORDS.node(line(label(node.id)), WORDS.states[state], visits, took)}</title>
              </g>
            );
          })}
        </svg>
      </div>
      <figcaption className="text-xs text-ink-3">
        {WORDS.summary(done, inner.length, trace.waited)}
        <span className="sr-only"> {WORDS.said(spoken)}</span>
      </figcaption>
    </figure>
  );
}
