/** A field of rows and columns, the more the darker. */
import { useWidth } from "@/components/plots/width";

interface Props {
  rows: readonly string[];
  columns: readonly string[];
  value: (row: number, column: number) => number;
  title: (row: number, column: number, value: number) => string;
  onPick: (row: number, column: number) => void;
}

const LEFT = 40;
const TOP = 4;
const BOTTOM = 20;

export function Heat({ rows, columns, value, title, onPick }: Props) {
  const [box, width] = useWidth<HTMLDivElement>();
  const wide = (width - LEFT) / columns.length;
  const tall = Math.min(26, Math.max(16, wide));
  const height = TOP + rows.length * tall + BOTTOM;
  const most = Math.max(1, ...rows.flatMap((_, row) => columns.map((__, column) => value(row, column))));
  const every = Math.ceil(24 / wide);
  return (
    <div ref={box}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} className="block">
        {rows.map((name, row) => (
          <g key={name}>
            <text x={LEFT - 8} y={TOP + row * tall + tall / 2 + 4} textAnchor="end" fontSize="11" className="fill-ink-3">
              {name}
            </text>
            {columns.map((_, column) => {
              const found = value(row, column);
              const place = { x: LEFT + column * wide + 1, y: TOP + row * tall + 1, width: Math.max(1, wide - 2), height: tall - 2, rx: 2 };
              return (
                <g key={column} {...(found > 0 ? { className: "cursor-pointer", onClick: () => onPick(row, column) } : {})}>
                  <rect {...place} className="fill-sunken" />
                  {found > 0 ? <rect {...place} className="fill-accent" fillOpacity={0.18 + 0.82 * (found / most)} /> : null}
                  <title>{title(row, column, found)}</title>
                </g>
              );
            })}
          </g>
        ))}
        {columns.map((name, column) =>
          column % every === 0 ? (
            <text key={name} x={LEFT + column * wide + wide / 2} y={height - 5} textAnchor="middle" fontSize="11" className="fill-ink-3">
              {name}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  );
}
