/** A chart as a picture: shapes and text, and nothing that a text could make of them. */
import { useId } from "react";
import type { Chart, Head } from "@/components/mermaid/chart";
import { planned, type PlacedBox, type PlacedGroup, type PlacedLine, type Point } from "@/components/mermaid/layout";
import { Heads, headOf, Rows } from "@/components/mermaid/marks";
import { ROW, size, SMALLEST } from "@/components/mermaid/text";
import { line as oneLine } from "@/lib/format";

export function ChartPicture({ chart }: { chart: Chart }) {
  const id = useId();
  const { width, height, boxes, groups, lines } = planned(chart);
  const heads = new Set<Head>(lines.flatMap((line) => [line.tail, line.head]));
  return (
    <svg aria-hidden viewBox={`0 0 ${width} ${height}`} width={width} className="mx-auto block h-auto max-w-full" style={{ minWidth: width * SMALLEST }}>
      <Heads id={id} of={heads} />
      {groups.map((group) => (
        <GroupBox key={group.id} group={group} />
      ))}
      {lines.map((line, index) => (
        <Link key={index} line={line} id={id} />
      ))}
      {boxes.map((box) => (
        <Shown key={box.id} box={box} />
      ))}
      {lines.map((line, index) => (line.labels.length > 0 ? <Label key={index} line={line} /> : null))}
    </svg>
  );
}

function GroupBox({ group: { x, y, width, height, title } }: { group: PlacedGroup }) {
  return (
    <g>
      <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx="8" className="fill-sunken/60 stroke-line" />
      <text x={x - width / 2 + 8} y={y - height / 2 + 13} fontSize="11" className="fill-ink-3 font-medium">
        {oneLine(title)}
      </text>
    </g>
  );
}

function Link({ line: { points, stroke, tail, head }, id }: { line: PlacedLine; id: string }) {
  return (
    <path
      d={smooth(points)}
      fill="none"
      className="stroke-line-strong"
      strokeWidth={stroke === "thick" ? 2.5 : 1.25}
      {...(stroke === "dashed" ? { strokeDasharray: "4 3" } : {})}
      {...headOf(id, tail, head)}
    />
  );
}

/** Through the middle between its bends, which it only comes near to. */
function smooth(points: Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const last = rest.at(-1);
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? point;
    const end = index === rest.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return `M${first.x} ${first.y}${bends.length > 0 ? bends.join("") : `L${last?.x ?? first.x} ${last?.y ?? first.y}`}`;
}

function Label({ line: { labels, at } }: { line: PlacedLine }) {
  const { width, height } = size(labels);
  return (
    <g>
      <rect x={at.x - width / 2 - 2} y={at.y - height / 2} width={width + 4} height={height} rx="3" className="fill-surface" />
      <Rows of={labels} x={at.x} y={at.y} small />
    </g>
  );
}

function Shown({ box }: { box: PlacedBox }) {
  const { x, y, height, width, titles, rows, shape } = box;
  if (shape === "start" || shape === "end") {
    return (
      <g>
        <circle cx={x} cy={y} r="8" className={shape === "start" ? "fill-ink-2" : "fill-panel stroke-ink-2"} />
        {shape === "end" ? <circle cx={x} cy={y} r="4.5" className="fill-ink-2" /> : null}
      </g>
    );
  }
  const below = rows.length * ROW + (rows.length > 0 ? 10 : 0);
  return (
    <g>
      <Outline box={box} />
      <Rows of={titles} x={x} y={y - below / 2} {...(rows.length > 0 ? { bold: true } : {})} />
      {rows.length > 0 ? (
        <>
          <path d={`M${x - width / 2} ${y + height / 2 - below - 2}h${width}`} className="stroke-line" />
          {rows.map((row, index) => (
            <text key={index} x={x - width / 2 + 10} y={y + height / 2 - below + 10 + index * ROW} dominantBaseline="central" fontSize="12" className="fill-ink-2 font-mono">
              {oneLine(row)}
            </text>
          ))}
        </>
      ) : null}
    </g>
  );
}

function Outline({ box: { x, y, width, height, shape } }: { box: PlacedBox }) {
  const [left, top, right, bottom] = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
  const look = shape === "note" ? "fill-medium-soft stroke-medium" : "fill-panel stroke-line-strong";
  switch (shape) {
    case "circle":
      return <circle cx={x} cy={y} r={width / 2} className={look} />;
    case "diamond":
      return <path d={`M${x} ${top}L${right} ${y} ${x} ${bottom} ${left} ${y}z`} className={look} />;
    case "hexagon":
      return <path d={`M${left + 10} ${top}H${right - 10}L${right} ${y} ${right - 10} ${bottom}H${left + 10}L${left} ${y}z`} className={look} />;
    case "store":
      return (
        <g className={look}>
          <path d={`M${left} ${top + 6}a${width / 2} 6 0 0 1 ${width} 0V${bottom - 6}a${width / 2} 6 0 0 1 ${-width} 0z`} />
          <path d={`M${left} ${top + 6}a${width / 2} 6 0 0 0 ${width} 0`} fill="none" />
        </g>
      );
    default:
      return <rect x={left} y={top} width={width} height={height} rx={shape === "pill" ? height / 2 : shape === "round" ? 10 : 4} className={look} />;
  }
}
