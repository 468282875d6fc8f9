/** What became of holds, by agent, action, rule or risk: bars in parts, and the numbers, each with its holds. */
import { useNavigate, type LinkProps } from "@tanstack/react-router";
import { Bars } from "@/components/plots/Bars";
import { Figure, Legend } from "@/components/plots/Figure";
import { TEXTS } from "@/components/plots/texts";
import type { InsightSearch } from "@/lib/insight-search";
import { askedOf, mostRejected, STATUSES, type NamedOutcomes } from "@/lib/insights";
import { span } from "@/lib/format";

// what differs little in its meaning differs in lightness, which everybody sees
const LOOKS = {
  approved: ["fill-good", "bg-good"],
  answered: ["fill-good/55", "bg-good/55"],
  rejected: ["fill-critical", "bg-critical"],
  expired: ["fill-high", "bg-high"],
  cancelled: ["fill-low", "bg-low"],
  pending: ["fill-low/35", "bg-low/35"],
} as const;
// the table has them all
const MOST_BARS = 10;

const WORDS = TEXTS.outcomePlot;

interface Props {
  by: keyof typeof WORDS.title;
  rows: NamedOutcomes[];
  /** Where the holds of one are listed, narrowed further. */
  to: (id: string, more: InsightSearch) => LinkProps;
  className?: string;
}

export function OutcomePlot({ by, rows, to, className = "" }: Props) {
  const navigate = useNavigate();
  const asked = rows.filter((row) => askedOf(row) > 0);
  return (
    <Figure
      className={className}
      title={WORDS.title[by]}
      said={WORDS.said(asked[0]?.label ?? null, mostRejected(asked))}
      name={`outcomes-by-${by}`}
      legend={<Legend of={STATUSES.map((status) => [WORDS.statuses[status], LOOKS[status][1]])} />}
      numbers={{
        head: [WORDS.name[by], ...STATUSES.map((status) => WORDS.statuses[status]), WORDS.unasked, WORDS.median],
        rows: rows.map((row) => [
          { text: row.label, value: row.label, link: to(row.id, {}) },
          ...STATUSES.map((status) => ({
            text: String(row[status]),
            value: row[status],
            link: row[status] > 0 ? to(row.id, { status, asked: "people" }) : undefined,
          })),
          { text: String(row.unasked), value: row.unasked, link: row.unasked > 0 ? to(row.id, { asked: "nobody" }) : undefined },
          { text: row.p50 === null ? "–" : span(row.p50 * 1000), value: row.p50 },
        ]),
      }}
    >
      <Bars
        of={asked.slice(0, MOST_BARS).map((row) => ({
          label: row.label,
          said: askedOf(row).toLocaleString("en"),
          title: row.label,
          parts: STATUSES.map((status) => ({
            value: row[status],
            look: LOOKS[status][0],
            title: WORDS.part(row.label, row[status], WORDS.statuses[status]),
            onPick: () => void navigate(to(row.id, { status, asked: "people" })),
          })),
          onPick: () => void navigate(to(row.id, {})),
        }))}
      />
    </Figure>
  );
}
