/** What charts and sequences are drawn with: text in rows, and the ends of lines. */
import type { Head } from "@/components/mermaid/chart";
import { ROW } from "@/components/mermaid/text";
import { cn } from "@/lib/cn";
import { line as oneLine } from "@/lib/format";

export function Rows({ of, x, y, bold, small }: { of: readonly string[]; x: number; y: number; bold?: boolean; small?: boolean }) {
  return (
    <text x={x} textAnchor="middle" fontSize={small ? "11.5" : "12.5"} className={cn(small ? "fill-ink-2" : "fill-ink", bold && "font-semibold")}>
      {of.map((row, index) => (
        <tspan key={index} x={x} y={y + (index - (of.length - 1) / 2) * ROW} dominantBaseline="central">
          {oneLine(row)}
        </tspan>
      ))}
    </text>
  );
}

const SHAPES: Record<Exclude<Head, "none">, { d: string; look: string; at: number }> = {
  arrow: { d: "M1 2 9 6 1 10z", look: "fill-line-strong", at: 9 },
  triangle: { d: "M1 1 11 6 1 11z", look: "fill-panel stroke-line-strong", at: 11 },
  diamond: { d: "M0 6 6 2 12 6 6 10z", look: "fill-panel stroke-line-strong", at: 12 },
  filled: { d: "M0 6 6 2 12 6 6 10z", look: "fill-line-strong stroke-line-strong", at: 12 },
  circle: { d: "M2 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", look: "fill-panel stroke-line-strong", at: 10 },
  cross: { d: "M2 2 10 10M10 2 2 10", look: "stroke-line-strong", at: 6 },
};

export function Heads({ id, of }: { id: string; of: ReadonlySet<Head> }) {
  return (
    <defs>
      {[...of].map((head) => {
        if (head === "none") return null;
        const { d, look, at } = SHAPES[head];
        return (
          <marker key={head} id={`${id}${head}`} viewBox="0 0 12 12" refX={at} refY="6" markerWidth="11" markerHeight="11" markerUnits="userSpaceOnUse" orient="auto-start-reverse">
            <path d={d} className={look} />
          </marker>
        );
      })}
    </defs>
  );
}

export function headOf(id: string, tail: Head, head: Head): { markerStart?: string; markerEnd?: string } {
  return {
    ...(tail === "none" ? {} : { markerStart: `url(#${id}${tail})` }),
    ...(head === "none" ? {} : { markerEnd: `url(#${id}${head})` }),
  };
}
