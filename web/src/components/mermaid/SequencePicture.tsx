/** A sequence as a picture: a column for each who takes part, time from top to bottom. */
import { Fragment, useId } from "react";
import type { Head } from "@/components/mermaid/chart";
import { Heads, headOf, Rows } from "@/components/mermaid/marks";
import type { Entry, Sequence } from "@/components/mermaid/sequence";
import { ROW, size, SMALLEST, wrapped } from "@/components/mermaid/text";
import { line as oneLine } from "@/lib/format";

const LONGEST = 24;
const HEAD_PX = 44;
const GAP_PX = 14;
const SELF_PX = 36;

interface Step {
  entry: Entry;
  rows: string[];
  y: number;
  height: number;
}

export function SequencePicture({ of: { people, entries } }: { of: Sequence }) {
  const id = useId();
  const names = [...people].map(([person, title]) => ({ person, rows: wrapped(title, LONGEST) }));
  const columns = columnsOf(names, entries);
  const at = (person: string) => columns.get(person) ?? 0;
  const steps = stepsOf(entries);
  const last = steps.at(-1);
  const y = last ? last.y + last.height + GAP_PX : HEAD_PX + GAP_PX;
  const places = [...columns.values()];
  const width = Math.max(...places) + 110;
  const heads = new Set<Head>(entries.flatMap((entry) => (entry.is === "message" ? [entry.head] : [])));
  return (
    <svg aria-hidden viewBox={`0 0 ${width} ${y + 4}`} width={width} className="mx-auto block h-auto max-w-full" style={{ minWidth: width * SMALLEST }}>
      <Heads id={id} of={heads} />
      {places.map((x) => (
        <path key={x} d={`M${x} ${HEAD_PX}V${y}`} className="stroke-line" strokeDasharray="3 3" />
      ))}
      {names.map(({ person, rows }) => (
        <g key={person}>
          <rect x={at(person) - size(rows).width / 2 - 12} y={2} width={size(rows).width + 24} height={HEAD_PX - 4} rx="6" className="fill-panel stroke-line-strong" />
          <Rows of={rows} x={at(person)} y={HEAD_PX / 2} bold />
        </g>
      ))}
      <Frames steps={steps} width={width} />
      {steps.map((step, index) => (
        <Fragment key={index}>{shown(step, at, id)}</Fragment>
      ))}
    </svg>
  );
}

/** One below the other, each as high as its words. */
function stepsOf(entries: Entry[]): Step[] {
  const steps: Step[] = [];
  let y = HEAD_PX + GAP_PX;
  for (const entry of entries) {
    const rows = entry.is === "close" ? [] : wrapped(entry.text, LONGEST);
    const height = entry.is === "close" ? 6 : rows.length * ROW + (entry.is !== "message" ? 10 : entry.from === entry.to ? 26 : 8);
    steps.push({ entry, rows, y, height });
    y += height + GAP_PX;
  }
  return steps;
}

/** Far enough apart for what is said between neighbours. */
function columnsOf(names: { person: string; rows: string[] }[], entries: Entry[]): Map<string, number> {
  const columns = new Map<string, number>();
  let x = 0;
  for (const [index, { person, rows }] of names.entries()) {
    const before = names[index - 1];
    const half = size(rows).width / 2 + 12;
    const said = entries.flatMap((entry) => {
      if (entry.is !== "message") return [];
      const pair = [entry.from, entry.to];
      const own = entry.from === entry.to && entry.from === before?.person;
      const neighbours = before !== undefined && pair.includes(person) && pair.includes(before.person);
      return own || neighbours ? [size(wrapped(entry.text, LONGEST)).width + (own ? SELF_PX + 20 : 28)] : [];
    });
    x = before ? x + Math.max(110, size(before.rows).width / 2 + 12 + half + 20, ...said) : Math.max(90, half + 8);
    columns.set(person, x);
  }
  return columns;
}

function shown({ entry, rows, y, height }: Step, at: (person: string) => number, id: string) {
  if (entry.is === "message") {
    const [from, to] = [at(entry.from), at(entry.to)];
    const line = { fill: "none", className: "stroke-line-strong", strokeWidth: 1.25, ...(entry.dashed ? { strokeDasharray: "4 3" } : {}), ...headOf(id, "none", entry.head) };
    if (from === to) {
      return (
        <>
          <path d={`M${from} ${y + height - 20}h${SELF_PX}v14h${-SELF_PX + 2}`} {...line} />
          <Rows of={rows} x={from + size(rows).width / 2 + 10} y={y + (rows.length * ROW) / 2} small />
        </>
      );
    }
    return (
      <>
        <path d={`M${from} ${y + height}H${to + (from < to ? -1 : 1)}`} {...line} />
        <Rows of={rows} x={(from + to) / 2} y={y + (rows.length * ROW) / 2} small />
      </>
    );
  }
  if (entry.is !== "note") return null;
  const places = entry.over.map(at);
  const middle = (Math.min(...places) + Math.max(...places)) / 2;
  const width = Math.max(size(rows).width + 16, Math.max(...places) - Math.min(...places) + 40);
  const x = entry.side === "left" ? middle - width - 8 : entry.side === "right" ? middle + 8 : middle - width / 2;
  return (
    <>
      <rect x={x} y={y} width={width} height={height} rx="3" className="fill-medium-soft stroke-medium" />
      <Rows of={rows} x={x + width / 2} y={y + height / 2} small />
    </>
  );
}

/** Loops and choices, around what is in them. */
function Frames({ steps, width }: { steps: Step[]; width: number }) {
  const open: Step[] = [];
  const frames: { from: Step; to: number; depth: number }[] = [];
  for (const step of steps) {
    if (step.entry.is === "open") open.push(step);
    const from = step.entry.is === "close" ? open.pop() : undefined;
    if (from) frames.push({ from, to: step.y + step.height, depth: open.length });
  }
  return (
    <>
      {frames.map(({ from, to, depth }) => (
        <rect key={from.y} x={4 + depth * 6} y={from.y} width={width - 8 - depth * 12} height={to - from.y} rx="5" className="fill-none stroke-line-strong" />
      ))}
      {steps.map(({ entry, y }) =>
        entry.is === "open" || entry.is === "branch" ? (
          <g key={y}>
            {entry.is === "branch" ? <path d={`M6 ${y}H${width - 6}`} className="stroke-line-strong" strokeDasharray="4 3" /> : null}
            <text x="12" y={y + 14} fontSize="11.5" className="fill-ink-2 font-semibold">
              {oneLine(entry.text)}
            </text>
          </g>
        ) : null,
      )}
    </>
  );
}
