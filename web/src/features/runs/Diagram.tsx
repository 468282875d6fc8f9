import { useId } from "react";
import { BOX_PX, drawn, label, type Box, type Drawing, type Edge } from "@/features/runs/diagram";
import { TEXTS } from "@/features/runs/texts";
import { line } from "@/lib/format";

const WORDS = TEXTS.diagram;

/** The workflow as a picture; in words for who cannot see it. */
export function Diagram({ mermaid }: { mermaid: string }) {
  const drawing = drawn(mermaid);
  if (!drawing) return null;
  return (
    <figure className="overflow-x-auto rounded-lg border border-line bg-surface p-4" tabIndex={0} aria-label={WORDS.theWorkflowsSteps}>
      <Picture of={drawing} />
      <figcaption className="sr-only">
        {drawing.edges.map((edge) => WORDS.to(line(label(edge.from)), edge.conditional ? WORDS.mayLead : "leads", line(label(edge.to)))).join("; ")}
      </figcaption>
    </figure>
  );
}

function Picture({ of: { boxes, edges, width, height } }: { of: Drawing }) {
  const arrow = useId();
  const at = new Map(boxes.map((box) => [box.id, box]));
  return (
    <svg aria-hidden viewBox={`0 0 ${width} ${height}`} width={width} height={height} className="mx-auto block max-w-none">
      <marker id={arrow} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
        <path d="M0 0 8 4 0 8z" className="fill-line-strong" />
      </marker>
      {edges.map((edge) => {
        const [from, to] = [at.get(edge.from), at.get(edge.to)];
        return from && to ? (
          <path
            key={`${edge.from} ${edge.to}`}
            d={way(from, to)}
            fill="none"
            className="stroke-line-strong"
            strokeWidth="1.25"
            markerEnd={`url(#${arrow})`}
            {...dashes(edge)}
          />
        ) : null;
      })}
      {boxes.map((box) => {
        const end = box.id === "__start__" || box.id === "__end__";
        return (
          <g key={box.id}>
            <rect x={box.x} y={box.y} width={box.width} height={BOX_PX} rx={end ? BOX_PX / 2 : 7} className={end ? "fill-sunken stroke-line" : "fill-panel stroke-line-strong"} />
            <text x={box.x + box.width / 2} y={box.y + BOX_PX / 2} textAnchor="middle" dominantBaseline="central" fontSize="12.5" className={end ? "fill-ink-3" : "fill-ink font-mono"}>
              {line(box.label)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function dashes(edge: Edge): { strokeDasharray?: string } {
  return edge.conditional ? { strokeDasharray: "4 3" } : {};
}

/** Down from below to above; back up along the right side. */
function way(from: Box, to: Box): string {
  const middle = (box: Box) => box.x + box.width / 2;
  if (to.y > from.y) {
    const [y1, y2] = [from.y + BOX_PX, to.y];
    const bend = (y2 - y1) / 2;
    return `M${middle(from)} ${y1}C${middle(from)} ${y1 + bend} ${middle(to)} ${y2 - bend} ${middle(to)} ${y2 - 1}`;
  }
  const [x1, x2] = [from.x + from.width, to.x + to.width];
  const out = Math.max(x1, x2) + 36;
  const [y1, y2] = [from.y + BOX_PX / 2, to.y + BOX_PX / 2];
  return `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${x2 + 1} ${y2}`;
}
