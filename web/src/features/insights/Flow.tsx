import { useNavigate } from "@tanstack/react-router";
import { Bars } from "@/components/plots/Bars";
import { Figure, Legend } from "@/components/plots/Figure";
import { Series } from "@/components/plots/Series";
import { askedOf, type Insights } from "@/lib/insights";
import { behind, type InsightSearch } from "@/lib/insight-search";
import { TEXTS } from "@/features/insights/texts";
import { slotNames } from "@/features/insights/wording";
import { useNow } from "@/lib/clock";
import { span } from "@/lib/format";

const WORDS = TEXTS.flow;
const AGES = TEXTS.ages;

/** What comes in and what waits, along the period; and how old it is by now. */
export function Flow({ of, search }: { of: Insights; search: InsightSearch }) {
  const navigate = useNavigate();
  const names = slotNames(of.slots);
  const opened = (slot: Insights["slots"][number], asked: string): InsightSearch => ({ asked, from: slot.since, to: slot.until });
  return (
    <>
      <Ages of={of} search={search} />
      <Figure
        className="lg:col-span-2"
        title={WORDS.title}
        said={WORDS.said(askedOf(of.outcomes), of.slots.at(-1)?.backlog ?? 0, Math.max(0, ...of.slots.map((slot) => slot.backlog)))}
        name="backlog"
        legend={<Legend of={[[WORDS.opened, "bg-low"], [WORDS.waiting, "bg-high"]]} />}
        numbers={{
          head: WORDS.head,
          rows: of.slots.map((slot, index) => [
            { text: names[index]?.long ?? "", value: slot.since },
            { text: String(slot.opened), value: slot.opened, link: slot.opened > 0 ? behind(search, opened(slot, "people")) : undefined },
            { text: String(slot.unasked), value: slot.unasked, link: slot.unasked > 0 ? behind(search, opened(slot, "nobody")) : undefined },
            { text: String(slot.backlog), value: slot.backlog },
          ]),
        }}
      >
        <Series
          places={of.slots.map((slot, index) => ({
            label: names[index]?.brief ?? "",
            title: WORDS.slot(names[index]?.long ?? "", slot.opened, slot.backlog),
            onPick: () => void navigate(behind(search, opened(slot, "people"))),
          }))}
          bars={[{ name: WORDS.opened, values: of.slots.map((slot) => slot.opened), look: "fill-low opacity-60" }]}
          lines={[{ name: WORDS.waiting, values: of.slots.map((slot) => slot.backlog), look: "stroke-high" }]}
        />
      </Figure>
    </>
  );
}

function Ages({ of: { backlog }, search }: { of: Insights; search: InsightSearch }) {
  const navigate = useNavigate();
  const now = useNow(60_000);
  const to = (age: (typeof backlog.ages)[number]) =>
    behind(search, { status: "pending", ...(age.at_least > 0 ? { longer: age.at_least } : {}), ...(age.below === null ? {} : { shorter: age.below }) });
  return (
    <Figure
      title={AGES.title}
      said={AGES.said(backlog.count, backlog.oldest ? span(now - Date.parse(backlog.oldest)) : null)}
      name="age-of-backlog"
      numbers={{
        head: AGES.head,
        rows: backlog.ages.map((age) => [
          { text: AGES.name(age.at_least, age.below), value: AGES.name(age.at_least, age.below) },
          { text: String(age.count), value: age.count, link: age.count > 0 ? to(age) : undefined },
        ]),
      }}
    >
      <Bars
        of={backlog.ages.map((age) => ({
          label: AGES.name(age.at_least, age.below),
          said: String(age.count),
          title: `${AGES.name(age.at_least, age.below)}: ${age.count}`,
          parts: [{ value: age.count, look: "fill-high", title: `${AGES.name(age.at_least, age.below)}: ${age.count}` }],
          onPick: () => void navigate(to(age)),
        }))}
      />
    </Figure>
  );
}
