import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { HoldMark } from "@/components/risk";
import { canBulk, type Selection } from "@/features/inbox/selection";
import { useNow } from "@/lib/clock";
import { cn } from "@/lib/cn";
import { ago, briefSpan, deadline, exact, line } from "@/lib/format";
import type { Hold, HoldFilters } from "@/lib/holds";
import { headline, needsBriefly, outcome, progress } from "@/lib/wording";

interface Props {
  hold: Hold;
  current: boolean;
  filters: HoldFilters;
  selection: Selection;
}

export const HoldRow = memo(function HoldRow({ hold, current, filters, selection }: Props) {
  const selected = selection.has(hold.id);
  const decided = hold.decision !== null;
  return (
    <div
      className={cn(
        "group relative flex h-full gap-3 border-b border-line pr-4 pl-3 transition-colors hover:bg-panel",
        current && "bg-panel",
        selected && "bg-accent-soft hover:bg-accent-soft",
      )}
    >
      {current ? <span aria-hidden className="absolute inset-y-0 left-0 w-0.75 bg-accent" /> : null}
      <label className="relative z-10 flex w-5 shrink-0 cursor-pointer items-start justify-center pt-3.5">
        <span className="sr-only">Select {headline(hold)}</span>
        <input
          type="checkbox"
          checked={selected}
          disabled={!canBulk(hold)}
          onChange={() => selection.toggle(hold)}
          className="size-4 cursor-pointer accent-accent disabled:opacity-30"
        />
      </label>
      <Link
        to="/holds/$holdId"
        params={{ holdId: hold.id }}
        search={filters}
        aria-current={current ? "true" : undefined}
        className={cn("block min-w-0 flex-1 py-2.5 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent", decided && "opacity-70")}
      >
        <span className="flex items-baseline justify-between gap-3 text-xs">
          <span className="flex min-w-0 items-baseline gap-2">
            <HoldMark hold={hold} />
            <code className="text-ink-3">{hold.short_id}</code>
          </span>
          <When hold={hold} />
        </span>
        <span className="mt-0.5 block truncate font-medium">{headline(hold)}</span>
        <span className="block truncate text-xs text-ink-3">
          {hold.decision ? (
            <span className="text-ink-2">
              {outcome(hold.decision)} <DecidedAgo at={hold.decision.at} />
            </span>
          ) : (
            `${hold.revision > 1 ? "amended · " : ""}${line(hold.opened_by.name)} · ${hold.kind === "input" ? "asks" : `needs ${needsBriefly(hold)}`}${progress(hold) ? ` (${progress(hold) ?? ""})` : ""}`
          )}
        </span>
      </Link>
    </div>
  );
});

function DecidedAgo({ at }: { at: string }) {
  return <>{ago(at, useNow())}</>;
}

/** The time left where there is a deadline, else how long it has been waiting. */
function When({ hold }: { hold: Hold }) {
  const now = useNow(10_000);
  if (hold.decision) return null;
  if (hold.expires_at === null) {
    return (
      <span className="shrink-0 text-ink-3" title={`opened ${exact(hold.opened_at)}`}>
        {ago(hold.opened_at, now)}
      </span>
    );
  }
  const left = Date.parse(hold.expires_at) - now;
  return (
    <span className={cn("shrink-0 tabular-nums", left < 600_000 ? "font-medium text-high" : "text-ink-3")} title={`${deadline(hold, now) ?? ""}: ${exact(hold.expires_at)}`}>
      {left > 0 ? `${briefSpan(left)} left` : "expiring"}
    </span>
  );
}
