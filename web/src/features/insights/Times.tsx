import { useNavigate } from "@tanstack/react-router";
import { Bars } from "@/components/plots/Bars";
import { Figure, Legend } from "@/components/plots/Figure";
import { lasting } from "@/components/plots/scale";
import { Series } from "@/components/plots/Series";
import type { Insights } from "@/lib/insights";
import { behind, type InsightSearch } from "@/lib/insight-search";
import { TEXTS } from "@/features/insights/texts";
import { slotNames } from "@/features/insights/wording";
import { LEVELS } from "@/lib/holds";

const WORDS = TEXTS.times;
const RISKS = TEXTS.risks;
const FILLS = { critical: "fill-critical", high: "fill-high", medium: "fill-medium", low: "fill-low" } as const;

/** Time to decision along the period, against the target; and by risk. */
export function Times({ of, search }: { of: Insights; search: InsightSearch }) {
  const navigate = useNavigate();
  const { times, target, slots } = of;
  const names = slotNames(slots);
  const opened = (slot: Insights["slots"][number]): InsightSearch => ({ decided: "people", from: slot.since, to: slot.until });
  const values = slots.flatMap((slot) => [slot.p50, slot.p90]).filter((value) => value !== null);
  return (
    <>
      <Figure
        className="lg:col-span-2"
        title={WORDS.title}
        said={WORDS.said(times.p50, times.p90, target, times.late, times.count)}
        name="time-to-decision"
        legend={<Legend of={[[WORDS.half, "bg-accent"], [WORDS.most, "bg-high"]]} />}
        numbers={{
          head: WORDS.head,
          rows: slots.map((slot, index) => [
            { text: names[index]?.long ?? "", value: slot.since },
            { text: String(slot.decided), value: slot.decided, link: slot.decided > 0 ? behind(search, opened(slot)) : undefined },
            { text: TEXTS.length(slot.p50), value: slot.p50 },
            { text: TEXTS.length(slot.p90), value: slot.p90 },
          ]),
        }}
      >
        <Series
          scale={lasting([...values, target])}
          mark={{ value: target, label: WORDS.target(target) }}
          places={slots.map((slot, index) => ({
            label: names[index]?.brief ?? "",
            title: WORDS.slot(names[index]?.long ?? "", slot.decided, slot.p50, slot.p90),
            onPick: () => void navigate(behind(search, opened(slot))),
          }))}
          lines={[
            { name: "p90", values: slots.map((slot) => slot.p90), look: "stroke-high", dashed: true },
            { name: "p50", values: slots.map((slot) => slot.p50), look: "stroke-accent" },
          ]}
        />
      </Figure>
      <ByRisk of={of} search={search} />
    </>
  );
}

function ByRisk({ of, search }: { of: Insights; search: InsightSearch }) {
  const navigate = useNavigate();
  const found = LEVELS.flatMap((level) => of.by_risk.filter((one) => one.risk === level));
  const slowest = [...found].sort((a, b) => (b.p50 ?? 0) - (a.p50 ?? 0))[0];
  const scale = lasting(found.flatMap((one) => [one.p50 ?? 0, one.p90 ?? 0]));
  const to = (risk: string) => behind(search, { decided: "people", risk });
  return (
    <Figure
      title={RISKS.title}
      said={RISKS.said(slowest?.risk ?? null)}
      name="time-to-decision-by-risk"
      numbers={{
        head: RISKS.head,
        rows: found.map((one) => [
          { text: one.risk, value: one.risk },
          { text: String(one.count), value: one.count, link: to(one.risk) },
          { text: TEXTS.length(one.p50), value: one.p50 },
          { text: TEXTS.length(one.p90), value: one.p90 },
          { text: String(one.late), value: one.late, link: behind(search, { decided: "people", risk: one.risk, longer: of.target }) },
        ]),
      }}
    >
      <Bars
        of={found.map((one) => ({
          label: one.risk,
          said: TEXTS.length(one.p50),
          title: RISKS.bar(one.risk, one.p50, one.p90),
          // by magnitude, as the plot above: a second and a day are both to be seen
          parts: [{ value: Math.max(0.02, scale.place(one.p50 ?? 0)), look: FILLS[one.risk], title: RISKS.bar(one.risk, one.p50, one.p90) }],
          onPick: () => void navigate(to(one.risk)),
        }))}
      />
    </Figure>
  );
}
