/** What became of holds, by agent, action, rule or risk: bars in parts, and the numbers, each with its holds. */
import { useNavigate, type LinkProps } from "@tanstack/react-router";
import { Bars } from "@/components/plots/Bars";
import { Figure, Legend } from "@/components/plots/Figure";
import type { InsightSearch } from "@/lib/insight-search";
import { askedOf, mostRejected, STATUSES, type NamedOutcomes } from "@/lib/insights";
import { span } from "@/lib/format";

const LOOKS = {
  approved: ["fill-good", "bg-good"],
  answered: ["fill-accent", "bg-accent"],
  rejected: ["fill-critical", "bg-critical"],
  expired: ["fill-high", "bg-high"],
  cancelled: ["fill-low", "bg-low"],
  pending: ["fill-medium", "bg-medium"],
} as const;
// the table has them all
const MOST_BARS = 10;

const TEXTS = {
  title: { agents: "What becomes of it, by agent", actions: "By action", rules: "By rule", risks: "By risk" },
  name: { agents: "Agent", actions: "Action", rules: "Rule", risks: "Risk" },
  said: (first: string | null, rejected: string | null) =>
    first === null ? "People were asked nothing in this period." : `Most often asked: ${first}.${rejected ? ` Most often rejected: ${rejected}.` : ""}`,
  statuses: { approved: "approved", answered: "answered", rejected: "rejected", expired: "expired", cancelled: "cancelled", pending: "waiting" },
  unasked: "nobody asked",
  median: "p50",
  part: (name: string, count: number, status: string) => `${name}: ${count.toLocaleString("en")} ${status}`,
};

interface Props {
  by: keyof typeof TEXTS.title;
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
      title={TEXTS.title[by]}
      said={TEXTS.said(asked[0]?.label ?? null, mostRejected(asked))}
      name={`outcomes-by-${by}`}
      legend={<Legend of={STATUSES.map((status) => [TEXTS.statuses[status], LOOKS[status][1]])} />}
      numbers={{
        head: [TEXTS.name[by], ...STATUSES.map((status) => TEXTS.statuses[status]), TEXTS.unasked, TEXTS.median],
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
            title: TEXTS.part(row.label, row[status], TEXTS.statuses[status]),
            onPick: () => void navigate(to(row.id, { status, asked: "people" })),
          })),
          onPick: () => void navigate(to(row.id, {})),
        }))}
      />
    </Figure>
  );
}
