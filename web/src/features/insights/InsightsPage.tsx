/** How deciding goes: figures and plots of a period, narrowed by what is pressed, each with the holds that it counts. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Fetched } from "@/components/desk";
import { buttonLook } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { insightsQuery, type Insights } from "@/lib/insights";
import { Behind } from "@/features/insights/Behind";
import { Flow } from "@/features/insights/Flow";
import { KeyFigures } from "@/features/insights/KeyFigures";
import { Load } from "@/features/insights/Load";
import { NarrowedTo } from "@/features/insights/NarrowedTo";
import { OutcomesBy } from "@/features/insights/OutcomesBy";
import { PERIODS, readInsightSearch, USUAL, type InsightSearch } from "@/lib/insight-search";
import { TEXTS } from "@/features/insights/texts";
import { Times } from "@/features/insights/Times";
import { cn } from "@/lib/cn";
import { exact } from "@/lib/format";
import { samplesQuery } from "@/lib/sampling";

export function InsightsPage() {
  const search: InsightSearch = useSearch({ from: "/shell/insights" });
  const figures = useQuery(insightsQuery(search));
  const samples = useQuery(samplesQuery);
  return (
    <div className="h-full overflow-y-auto" tabIndex={-1}>
      <div className="mx-auto max-w-6xl space-y-5 px-4 py-6 sm:px-8 sm:py-8">
        <header className="flex flex-wrap items-start gap-4">
          <div className="mr-auto space-y-1">
            <h1 className="text-xl font-semibold">{TEXTS.title}</h1>
            <p className="max-w-xl text-ink-2">{TEXTS.intro}</p>
          </div>
          <Link to="/insights/samples" className={buttonLook()}>
            {TEXTS.samples(samples.data?.samples.length ?? 0)}
          </Link>
          <Link to="/insights/fatigue" className={buttonLook()}>
            {TEXTS.fatigue}
          </Link>
          <PeriodPicker search={search} />
        </header>
        <NarrowedTo search={search} known={figures.data} />
        {search.show ? <Behind search={search} /> : null}
        <Fetched query={figures} what={TEXTS.loading}>
          {(known) => <Plots of={known} search={search} />}
        </Fetched>
      </div>
    </div>
  );
}

function PeriodPicker({ search }: { search: InsightSearch }) {
  const navigate = useNavigate();
  const { from: _from, to: _to, ...rest } = search;
  const current = search.from ? null : (search.period ?? USUAL);
  return (
    <div role="group" aria-label={TEXTS.period} className="flex rounded-lg border border-line bg-panel p-0.5">
      {PERIODS.map((period) => (
        <button
          key={period}
          type="button"
          aria-pressed={period === current}
          className={cn("h-8 cursor-pointer rounded-md px-1.5 whitespace-nowrap sm:px-2.5 text-ink-2 hover:text-ink", period === current && "bg-sunken font-medium text-ink")}
          onClick={() => void navigate({ to: "/insights", search: readInsightSearch({ ...rest, period }) })}
        >
          {TEXTS.periods[period]}
        </button>
      ))}
    </div>
  );
}

function Plots({ of, search }: { of: Insights; search: InsightSearch }) {
  if (of.counted === 0 && of.backlog.count === 0) return <Notice title={TEXTS.nothing}>{TEXTS.nothingHint}</Notice>;
  return (
    <>
      {of.capped && of.oldest ? <Notice tone="warning" title={TEXTS.capped(of.counted, exact(of.oldest))} /> : null}
      <KeyFigures of={of} search={search} />
      <div className="grid gap-5 lg:grid-cols-2">
        <Times of={of} search={search} />
        <Flow of={of} search={search} />
        <Load of={of} search={search} />
        <OutcomesBy of={of} search={search} />
      </div>
    </>
  );
}
