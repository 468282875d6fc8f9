import { Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { memo } from "react";
import { HoldMark, RiskShape } from "@/components/risk";
import { canBulk, type Selection } from "@/features/inbox/selection";
import { TEXTS } from "@/features/inbox/texts";
import { useNow } from "@/lib/clock";
import { cn } from "@/lib/cn";
import { ago, deadline, exact, line, span } from "@/lib/format";
import type { HoldFilters, HoldRow as Row } from "@/lib/holds";
import { headline, needsBriefly, outcome, progressOf } from "@/lib/wording";


interface Props {
  hold: Row;
  current: boolean;
  filters: HoldFilters;
  selection: Selection;
  /** One line instead of three. */
  compact: boolean;
  /** In an open group. */
  within: boolean;
}

export const HoldRow = memo(function HoldRow({ hold, current, filters, selection, compact, within }: Props) {
  const selected = selection.has(hold.id);
  const decided = hold.decision !== null;
  return (
    <div
      className={cn(
        "group relative flex h-full gap-3 border-b border-line pr-4 pl-3 transition-colors hover:bg-panel",
        compact && "items-center",
        within && "pl-7",
        current && "bg-panel",
        selected && "bg-accent-soft hover:bg-accent-soft",
      )}
    >
      {current ? <span aria-hidden className="absolute inset-y-0 left-0 w-0.75 bg-accent" /> : null}
      <label className={cn("relative z-10 flex w-5 shrink-0 cursor-pointer items-start justify-center", !compact && "pt-3.5")}>
        <span className="sr-only">{TEXTS.row.select(headline(hold))}</span>
        <input
          type="checkbox"
          checked={selected}
          disabled={!canBulk(hold)}
          // what a click adds to the last one: everything between the two
          onClick={(event) => event.shiftKey && (event.preventDefault(), selection.extend(hold))}
          onChange={(event) => !(event.nativeEvent as MouseEvent).shiftKey && selection.toggle(hold)}
          className="size-4 cursor-pointer accent-accent disabled:opacity-30"
        />
      </label>
      <Link
        to="/holds/$holdId"
        params={{ holdId: hold.id }}
        search={filters}
        aria-current={current ? "true" : undefined}
        className={cn(
          "min-w-0 flex-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent",
          compact ? "flex items-center gap-2" : "block py-2.5",
          decided && "text-ink-2",
        )}
      >
        {compact ? <Line hold={hold} /> : <Lines hold={hold} />}
      </Link>
    </div>
  );
});

function Lines({ hold }: { hold: Row }) {
  const so = progressOf(hold, hold.approvals);
  return (
    <>
      <span className="flex items-baseline justify-between gap-3 text-xs">
        <span className="flex min-w-0 items-baseline gap-2">
          <HoldMark hold={hold} />
          <code className="text-ink-3">{hold.short_id}</code>
        </span>
        <When hold={hold} />
      </span>
      <span className="mt-0.5 block truncate font-medium">{headline(hold)}</span>
      <span className="flex gap-2 text-xs text-ink-3">
        <span className="min-w-0 flex-1 truncate">
          {hold.decision ? (
            <span className="text-ink-2">
              {outcome(hold.decision)} <DecidedAgo at={hold.decision.at} />
            </span>
          ) : (
            `${hold.revision > 1 ? `${TEXTS.row.amended} · ` : ""}${line(hold.opened_by.name)} · ${hold.kind === "input" ? TEXTS.row.asks : TEXTS.row.needs(needsBriefly(hold))}${so ? ` (${so})` : ""}`
          )}
        </span>
        <Looking hold={hold} />
      </span>
    </>
  );
}

function Line({ hold }: { hold: Row }) {
  return (
    <>
      <RiskShape level={hold.risk} />
      <span className="sr-only">{hold.risk}</span>
      <span className="min-w-0 flex-1 truncate">{headline(hold)}</span>
      <span className="flex shrink-0 items-baseline gap-2 text-xs">
        <Looking hold={hold} />
        {hold.decision ? <span className="text-ink-2">{hold.status}</span> : <When hold={hold} />}
      </span>
    </>
  );
}

/** Who looks at it. */
function Looking({ hold }: { hold: Row }) {
  if (!hold.assignee) return null;
  const name = line(hold.assignee.person.name);
  return (
    <span className="inline-flex max-w-28 shrink-0 items-center gap-1 text-ink-2" title={TEXTS.row.looking(name)}>
      <Eye aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{name}</span>
    </span>
  );
}

function DecidedAgo({ at }: { at: string }) {
  return <>{ago(at, useNow())}</>;
}

/** The time left where there is a deadline, else how long it has been waiting. */
function When({ hold }: { hold: Row }) {
  const now = useNow(10_000);
  if (hold.decision) return null;
  if (hold.expires_at === null) {
    return (
      <span className="shrink-0 text-ink-3" title={TEXTS.row.opened(exact(hold.opened_at))}>
        {ago(hold.opened_at, now)}
      </span>
    );
  }
  const left = Date.parse(hold.expires_at) - now;
  return (
    <span className={cn("shrink-0 tabular-nums", left < 600_000 ? "font-medium text-high" : "text-ink-3")} title={`${deadline(hold, now) ?? ""}: ${exact(hold.expires_at)}`}>
      {left > 0 ? TEXTS.row.left(span(left)) : TEXTS.row.expiring}
    </span>
  );
}
