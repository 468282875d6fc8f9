/** Things by how many there are of them, each bar in parts. */
import { useWidth } from "@/components/plots/width";

export interface Bar {
  label: string;
  /** Written at its end. */
  said: string;
  title: string;
  parts: { value: number; look: string; title: string; onPick?: () => void }[];
  onPick: () => void;
}

const ROW = 30;
const SAID_PX = 64;
const LETTER_PX = 6.6;
const LEAST_PX = 2;

export function Bars({ of }: { of: readonly Bar[] }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const most = Math.max(1, ...of.map((bar) => total(bar.parts.map((part) => part.value))));
  const names = Math.min(width * 0.36, Math.max(60, ...of.map((bar) => bar.label.length * LETTER_PX + 18)));
  const room = Math.max(1, width - names - SAID_PX);
  const height = Math.max(1, of.length) * ROW;
  return (
    <div ref={box}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} className="block">
        {of.map((bar, index) => {
          let from = names;
          const y = index * ROW;
          const lengths = fitted(bar.parts.map((part) => (part.value / most) * room));
          return (
            <g key={bar.label}>
              <g className="cursor-pointer" onClick={bar.onPick}>
                <title>{bar.title}</title>
                <rect x={0} y={y} width={width} height={ROW} className="fill-ink opacity-0 hover:opacity-[.05]" />
                <text x={names - 10} y={y + ROW / 2 + 4} textAnchor="end" fontSize="12.5" className="fill-ink">
                  {cut(bar.label, (names - 12) / LETTER_PX)}
                </text>
              </g>
              {bar.parts.map((part, place) => {
                if (part.value === 0) return null;
                const length = lengths[place] ?? 0;
                const x = from;
                from += length;
                return (
                  <rect key={place} x={x} y={y + 6} width={length} height={ROW - 12} className={`${part.look} cursor-pointer hover:opacity-80`} onClick={part.onPick ?? bar.onPick}>
                    <title>{part.title}</title>
                  </rect>
                );
              })}
              <text x={from + 8} y={y + ROW / 2 + 4} fontSize="12" className="fill-ink-2">
                {bar.said}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** However little something is, it is seen; the longest part gives what that takes, so that the whole stays as long as it is. */
export function fitted(lengths: number[]): number[] {
  const seen = lengths.map((one) => (one > 0 ? Math.max(LEAST_PX, one) : 0));
  const longest = seen.indexOf(Math.max(...seen));
  const over = total(seen) - total(lengths);
  return seen.map((one, place) => (place === longest ? Math.max(LEAST_PX, one - over) : one));
}

function total(lengths: number[]): number {
  return lengths.reduce((sum, one) => sum + one, 0);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(1, Math.floor(most) - 1))}…`;
}
