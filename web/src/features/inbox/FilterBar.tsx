import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ListFilter } from "lucide-react";
import { Suspense, useState, type RefObject } from "react";
import { RiskShape } from "@/components/risk";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { narrowing, viewOf } from "@/features/inbox/views";
import { TEXTS } from "@/features/inbox/texts";
import { cn } from "@/lib/cn";
import { countsQuery, total } from "@/lib/counts";
import { isPendingView, LEVELS, type HoldFilters, type HoldRow } from "@/lib/holds";
import { readInboxSearch } from "@/lib/inbox-search";
import { lazy } from "@/lib/lazy";

// not needed to begin with
const MoreFilters = lazy(() => import("@/features/inbox/MoreFilters"));

interface Props {
  filters: HoldFilters;
  /** What is listed now: names to choose from. */
  holds: HoldRow[];
  searchRef: RefObject<HTMLInputElement | null>;
}

export function FilterBar({ filters, holds, searchRef }: Props) {
  const navigate = useNavigate();
  const { risk, text, ...others } = narrowing(filters);
  const narrowed = Object.keys(others).length;
  const [more, setMore] = useState(narrowed > 0);

  function narrow(change: Record<string, unknown>) {
    // upon what the address says then: something else may have been chosen since
    void navigate({ to: ".", search: (now: Record<string, unknown>) => readInboxSearch({ ...now, ...change }), replace: true });
  }

  return (
    <div className="space-y-2.5 border-b border-line px-4 pt-3 pb-2.5">
      <h1 className="sr-only">{TEXTS.title}</h1>
      <div className="flex gap-2">
        <SearchBox text={filters.text ?? ""} label={TEXTS.search.label} inputRef={searchRef} onSearch={(text) => narrow({ text })} />
        <Button
          size="icon"
          aria-expanded={more}
          aria-label={narrowed > 0 ? TEXTS.search.set(narrowed) : TEXTS.search.more}
          title={TEXTS.search.more}
          className={cn(narrowed > 0 && "border-accent text-accent")}
          onClick={() => setMore(!more)}
        >
          <ListFilter aria-hidden className="size-4" />
        </Button>
      </div>
      <RiskChips filters={filters} onPick={(risk) => narrow({ risk })} />
      {more ? (
        <Suspense>
          <MoreFilters filters={filters} holds={holds} onNarrow={narrow} />
        </Suspense>
      ) : null}
      {filters.text && isPendingView(filters) ? (
        <p className="text-xs text-ink-3">
          {TEXTS.search.within(viewOf(filters) === "needs_me")}{" "}
          <button type="button" className="cursor-pointer text-accent underline underline-offset-2" onClick={() => narrow({ view: "all" })}>
            {TEXTS.search.everything}
          </button>
        </p>
      ) : null}
    </div>
  );
}

/** Risks, with counts of what waits, which narrow the list when they are pressed. */
function RiskChips({ filters, onPick }: { filters: HoldFilters; onPick: (risk: string | undefined) => void }) {
  const counted = isPendingView(filters);
  const counts = useQuery({ ...countsQuery(filters), enabled: counted }).data;
  const chip =
    "inline-flex h-7 cursor-pointer items-center gap-1 rounded-full border border-transparent px-1 text-xs whitespace-nowrap tabular-nums hover:bg-sunken aria-pressed:border-line-strong/50 aria-pressed:bg-panel aria-pressed:font-medium";
  return (
    <div role="group" aria-label={TEXTS.search.byRisk} className="-mx-1 flex gap-px overflow-x-auto [scrollbar-width:none]">
      <button type="button" className={chip} aria-pressed={filters.risk === undefined} onClick={() => onPick(undefined)}>
        {TEXTS.search.all} {counted ? total(counts).text : ""}
      </button>
      {LEVELS.map((level) => (
        <button
          key={level}
          type="button"
          className={chip}
          aria-pressed={filters.risk === level}
          onClick={() => onPick(filters.risk === level ? undefined : level)}
        >
          <RiskShape level={level} className="size-2.5" />
          {level} {counted ? (counts?.[level]?.text ?? "") : ""}
        </button>
      ))}
    </div>
  );
}
