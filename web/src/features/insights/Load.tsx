import { useNavigate } from "@tanstack/react-router";
import { Bars } from "@/components/plots/Bars";
import { Figure } from "@/components/plots/Figure";
import { Heat } from "@/components/plots/Heat";
import type { Insights } from "@/lib/insights";
import { behind, type InsightSearch } from "@/lib/insight-search";
import { TEXTS } from "@/features/insights/texts";
import { carriers } from "@/features/insights/wording";
import { line } from "@/lib/format";

const WORDS = TEXTS.people;
const HOURS = TEXTS.hours;
const CLOCK = Array.from({ length: 24 }, (_, hour) => String(hour));

/** Who reviews, and when. */
export function Load({ of, search }: { of: Insights; search: InsightSearch }) {
  const navigate = useNavigate();
  const reviews = of.people.reduce((sum, one) => sum + one.reviews, 0);
  const to = (id: string) => behind(search, { person: id });
  return (
    <>
      <Figure
        title={WORDS.title}
        said={WORDS.said(carriers(of.people).slice(0, 3).map(line), reviews)}
        name="load-by-person"
        numbers={{
          head: WORDS.head,
          rows: of.people.map((one) => [
            { text: line(one.person.name), value: one.person.name },
            { text: String(one.reviews), value: one.reviews },
            { text: String(one.holds), value: one.holds, link: to(one.person.id) },
            { text: TEXTS.length(one.p50), value: one.p50 },
            { text: String(one.withdrawn), value: one.withdrawn },
          ]),
        }}
      >
        <Bars
          of={of.people.slice(0, 12).map((one) => ({
            label: line(one.person.name),
            said: String(one.reviews),
            title: WORDS.bar(line(one.person.name), one.reviews, one.p50),
            parts: [{ value: one.reviews, look: "fill-accent", title: WORDS.bar(line(one.person.name), one.reviews, one.p50) }],
            onPick: () => void navigate(to(one.person.id)),
          }))}
        />
      </Figure>
      <Hours of={of} search={search} />
    </>
  );
}

function Hours({ of, search }: { of: Insights; search: InsightSearch }) {
  const navigate = useNavigate();
  const counts = new Map(of.hours.map((one) => [`${one.weekday} ${one.hour}`, one.reviews]));
  const busiest = [...of.hours].sort((a, b) => b.reviews - a.reviews)[0];
  const day = (weekday: number) => HOURS.longDays[weekday - 1] ?? "";
  const sorted = [...of.hours].sort((a, b) => a.weekday - b.weekday || a.hour - b.hour);
  return (
    <Figure
      title={HOURS.title}
      said={HOURS.said(busiest ? HOURS.at(day(busiest.weekday), busiest.hour) : null, of.zone)}
      name="load-by-hour"
      numbers={{
        head: HOURS.head,
        rows: sorted.map((one) => [
          { text: day(one.weekday), value: day(one.weekday) },
          { text: `${one.hour}:00`, value: one.hour },
          { text: String(one.reviews), value: one.reviews, link: behind(search, { weekday: one.weekday, hour: one.hour }) },
        ]),
      }}
    >
      <Heat
        rows={HOURS.days}
        columns={CLOCK}
        value={(row, hour) => counts.get(`${row + 1} ${hour}`) ?? 0}
        title={(row, hour, count) => HOURS.cell(day(row + 1), hour, count)}
        onPick={(row, hour) => void navigate(behind(search, { weekday: row + 1, hour }))}
      />
    </Figure>
  );
}
