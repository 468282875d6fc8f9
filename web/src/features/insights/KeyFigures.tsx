import { Tile, Tiles } from "@/components/plots/Tile";
import { askedOf, type Insights } from "@/lib/insights";
import { behind, type InsightSearch } from "@/lib/insight-search";
import { TEXTS } from "@/features/insights/texts";
import { useNow } from "@/lib/clock";
import { span } from "@/lib/format";

const WORDS = TEXTS.tiles;

/** The numbers that one looks for first. */
export function KeyFigures({ of, search }: { of: Insights; search: InsightSearch }) {
  const now = useNow(60_000);
  const { times, backlog, outcomes, happened, target } = of;
  const asked = askedOf(outcomes);
  const onTime = times.count - times.late;
  const ofAsked = (count: number) => WORDS.ofAsked(TEXTS.share(count, asked));
  const to = (more: InsightSearch) => behind(search, more);
  const people: InsightSearch = { decided: "people" };
  return (
    <Tiles>
      <Tile name={WORDS.half} value={TEXTS.length(times.p50)} note={WORDS.target(target)} bad={times.p50 !== null && times.p50 > target} link={to(people)} />
      <Tile name={WORDS.most} value={TEXTS.length(times.p90)} note={WORDS.target(target)} bad={times.p90 !== null && times.p90 > target} link={to({ ...people, longer: times.p90 ?? target })} />
      <Tile name={WORDS.within} value={TEXTS.share(onTime, times.count)} note={WORDS.ofDecided(times.count)} bad={onTime * 2 < times.count} link={to({ ...people, shorter: target })} />
      <Tile
        name={WORDS.waiting}
        value={backlog.count.toLocaleString("en")}
        note={backlog.oldest ? WORDS.oldest(span(now - Date.parse(backlog.oldest))) : WORDS.nothingWaits}
        link={to({ status: "pending" })}
      />
      <Tile name={WORDS.expired} value={outcomes.expired.toLocaleString("en")} note={ofAsked(outcomes.expired)} bad={outcomes.expired > 0} link={to({ status: "expired" })} />
      <Tile name={WORDS.escalated} value={happened.escalated.toLocaleString("en")} note={ofAsked(happened.escalated)} link={to({ happened: "escalated" })} />
      <Tile name={WORDS.withdrawn} value={happened.withdrawn.toLocaleString("en")} note={ofAsked(happened.withdrawn)} link={to({ happened: "withdrawn" })} />
      <Tile name={WORDS.unasked} value={outcomes.unasked.toLocaleString("en")} note={WORDS.unaskedOf(outcomes.total)} link={to({ asked: "nobody" })} />
    </Tiles>
  );
}
