/** What changes along a row of slots of time: bars from the ground, lines above, and a mark to compare with. */
import { useId } from "react";
import { counting, thinned, type Scale } from "@/components/plots/scale";
import { useWidth } from "@/components/plots/width";

export interface Place {
  label: string;
  /** Everything of this slot, for who points at it. */
  title: string;
  onPick: () => void;
}

export interface Values {
  name: string;
  values: readonly (number | null)[];
  /** Classes of the stroke or fill. */
  look: string;
  dashed?: boolean;
}

interface Props {
  places: readonly Place[];
  bars?: readonly Values[];
  lines?: readonly Values[];
  scale?: Scale;
  mark?: { value: number; label: string };
  height?: number;
}

const LEFT = 52;
const TOP = 10;
const BOTTOM = 22;
const LABEL_PX = 60;

export function Series({ places, bars = [], lines = [], scale, mark, height = 200 }: Props) {
  const [box, width] = useWidth<HTMLDivElement>();
  const clip = useId();
  const sums = places.map((_, index) => bars.reduce((sum, bar) => sum + (bar.values[index] ?? 0), 0));
  const used = scale ?? counting(Math.max(0, ...sums, ...lines.flatMap((line) => line.values.map((value) => value ?? 0))));
  const inner = Math.max(1, width - LEFT - 8);
  const step = inner / Math.max(1, places.length);
  const ground = height - BOTTOM;
  const x = (index: number) => LEFT + step * (index + 0.5);
  const y = (value: number) => TOP + (ground - TOP) * (1 - used.place(value));
  const every = thinned(places.length, inner / LABEL_PX);
  const thick = Math.max(1, Math.min(28, step * 0.7));
  return (
    <div ref={box}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} className="block">
        <clipPath id={clip}>
          <rect x={LEFT} y={0} width={inner} height={height} />
        </clipPath>
        {used.ticks.map((tick) => (
          <g key={tick.value}>
            <line x1={LEFT} x2={width - 8} y1={y(tick.value)} y2={y(tick.value)} className="stroke-line" strokeWidth="1" />
            <text x={LEFT - 8} y={y(tick.value) + 4} textAnchor="end" fontSize="11" className="fill-ink-3">
              {tick.label}
            </text>
          </g>
        ))}
        {places.map((place, index) =>
          index % every === 0 ? (
            <text key={index} x={x(index)} y={height - 6} textAnchor="middle" fontSize="11" className="fill-ink-3">
              {place.label}
            </text>
          ) : null,
        )}
        {places.map((_, index) => {
          let below = 0;
          return bars.map((bar) => {
            const value = bar.values[index] ?? 0;
            if (value === 0) return null;
            const [from, to] = [y(below), y(below + value)];
            below += value;
            return <rect key={`${bar.name} ${index}`} x={x(index) - thick / 2} y={to} width={thick} height={Math.max(1, from - to)} rx={Math.min(2, thick / 4)} className={bar.look} />;
          });
        })}
        {mark ? (
          <g>
            <line x1={LEFT} x2={width - 8} y1={y(mark.value)} y2={y(mark.value)} className="stroke-ink-2" strokeWidth="1.25" strokeDasharray="2 4" />
            <text x={LEFT + 6} y={y(mark.value) - 5} fontSize="11" className="fill-ink-2">
              {mark.label}
            </text>
          </g>
        ) : null}
        <g clipPath={`url(#${clip})`}>
          {lines.map((line) => (
            <Line key={line.name} of={line} x={x} y={y} />
          ))}
        </g>
        {places.map((place, index) => (
          <rect key={index} x={LEFT + step * index} y={TOP} width={step} height={ground - TOP} className="cursor-pointer fill-ink opacity-0 hover:opacity-[.06]" onClick={place.onPick}>
            <title>{place.title}</title>
          </rect>
        ))}
      </svg>
    </div>
  );
}

/** Where there is no value there is no line; a value between two such is a point. */
function Line({ of, x, y }: { of: Values; x: (index: number) => number; y: (value: number) => number }) {
  const parts: [number, number][][] = [[]];
  for (const [index, value] of of.values.entries()) {
    if (value === null) parts.push([]);
    else parts.at(-1)?.push([x(index), y(value)]);
  }
  const dashes = of.dashed ? { strokeDasharray: "5 4" } : {};
  return (
    <g className={of.look}>
      {parts.filter((part) => part.length > 1).map((part, index) => (
        <path key={index} d={`M${part.map(([at, up]) => `${at.toFixed(1)} ${up.toFixed(1)}`).join("L")}`} fill="none" strokeWidth="2" strokeLinejoin="round" {...dashes} />
      ))}
      {parts.flat().map(([at, up], index) => (
        <circle key={index} cx={at} cy={up} r={parts.flat().length > 40 ? 1.5 : 2.5} className="fill-panel" strokeWidth="1.75" />
      ))}
    </g>
  );
}
