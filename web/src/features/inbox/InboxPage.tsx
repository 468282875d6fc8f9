/** The list of holds, beside the one that is open where there is room. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { Desk } from "@/components/desk";
import { ROW_PX, Rows } from "@/components/rows";
import { holdsQuery } from "@/features/inbox/api";
import { FilterBar } from "@/features/inbox/FilterBar";
import { GroupRow } from "@/features/inbox/GroupRow";
import { entriesOf, holdIds, type Entry } from "@/features/inbox/groups";
import { HoldRow } from "@/features/inbox/HoldRow";
import { useSelection, type Selection } from "@/features/inbox/selection";
import { ViewTabs } from "@/features/inbox/ViewTabs";
import { emptyWords, isNarrowed, viewOf } from "@/features/inbox/views";
import { TEXTS } from "@/features/inbox/texts";
import { useNow } from "@/lib/clock";
import { useDensity } from "@/lib/density";
import { isPendingView, needsMe, type HoldFilters, type HoldRow as Row } from "@/lib/holds";
import type { Keys } from "@/lib/keys";
import { lazy } from "@/lib/lazy";
import { useListKeys } from "@/lib/list-keys";
import { setOrder } from "@/lib/order";
import { toggled } from "@/lib/sets";

// not needed to begin with
const BulkBar = lazy(() => import("@/features/inbox/BulkBar"));

// a row that was decided stays as long, to say by whom
const FAREWELL_MS = 8_000;
const COMPACT_PX = 40;

export function InboxPage() {
  const filters: HoldFilters = useSearch({ strict: false });
  const { holdId: open } = useParams({ strict: false });
  const navigate = useNavigate();
  const list = useInfiniteQuery(holdsQuery(filters));
  const loaded = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  const holds = useCurrent(loaded, filters, open);
  const { entries, unfolded, fold } = useEntries(holds, filters.group ?? false);
  const shown = useMemo(() => entries.flatMap((one) => ("hold" in one ? [one.hold] : [])), [entries]);
  const selection = useSelection(loaded, shown);
  const search = useRef<HTMLInputElement>(null);
  const compact = useDensity() === "compact";
  // an empty inbox teaches: where there is room for one of the two, that comes first
  const teaches = !open && list.isSuccess && holds.length === 0 && viewOf(filters) === "needs_me" && !isNarrowed(filters);

  useEffect(() => setOrder(holdIds(entries, unfolded)), [entries, unfolded]);

  const current = useListKeys(
    {
      ids: entries.map((one) => one.id),
      open,
      show: (id) => {
        const hold = entries.some((one) => one.id === id && "hold" in one);
        if (hold) void navigate({ to: "/holds/$holdId", params: { holdId: id }, search: filters });
        else fold(id);
      },
      leave: () => open && void navigate({ to: "/inbox", search: filters }),
    },
    (marked) => ({
      ...selectingKeys(entries, marked, selection),
      "/": () => search.current?.focus(),
    }),
  );

  return (
    <Desk
      label={TEXTS.holds}
      beside={Boolean(open) || teaches}
      list={
        <>
          <ViewTabs filters={filters} />
          <FilterBar filters={filters} holds={loaded} searchRef={search} />
          <Rows
            list={list}
            of={entries}
            idOf={(one) => one.id}
            current={current}
            what={TEXTS.what}
            label={isPendingView(filters) ? TEXTS.urgentFirst : TEXTS.newestFirst}
            empty={<EmptyList filters={filters} />}
            height={compact ? COMPACT_PX : ROW_PX}
          >
            {(one) =>
              "hold" in one ? (
                <HoldRow hold={one.hold} within={one.within} current={one.id === current} filters={filters} selection={selection} compact={compact} />
              ) : (
                <GroupRow group={one.group} open={unfolded.has(one.id)} current={one.id === current} selection={selection} compact={compact} onToggle={() => fold(one.id)} />
              )
            }
          </Rows>
          <Suspense>
            <BulkBar selection={selection} />
          </Suspense>
        </>
      }
    >
      <Outlet />
    </Desk>
  );
}

/** The lines of the list, and which groups are open. */
function useEntries(holds: Row[], grouped: boolean): { entries: Entry[]; unfolded: ReadonlySet<string>; fold: (id: string) => void } {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const entries = useMemo(() => (grouped ? entriesOf(holds, unfolded) : holds.map((hold) => ({ id: hold.id, hold, within: false }))), [holds, grouped, unfolded]);
  return { entries, unfolded, fold: (id) => setUnfolded((before) => toggled(before, id)) };
}

/** `x` selects the marked one or group, `X` everything up to it. */
function selectingKeys(entries: Entry[], marked: string | null, selection: Selection): Keys {
  const one = entries.find((each) => each.id === marked);
  if (!one) return {};
  if ("group" in one) return { x: () => selection.toggleAll(one.group.holds) };
  return { x: () => selection.toggle(one.hold), X: () => selection.extend(one.hold) };
}

/** Without those that no longer wait for this person: decided ones stay a while, to say by whom. */
function useCurrent(loaded: Row[], filters: HoldFilters, open: string | undefined): Row[] {
  const pending = isPendingView(filters);
  const leaving = pending && loaded.some((hold) => hold.decision !== null);
  const now = useNow(leaving ? 1_000 : 3_600_000);
  const view = viewOf(filters);
  return useMemo(() => {
    if (!pending) return loaded;
    return loaded.filter((one) => {
      if (one.id === open) return true;
      if (one.decision) return now - Date.parse(one.decision.at) < FAREWELL_MS;
      return view === "snoozed" ? one.snoozed_until !== null : view === "waiting" || needsMe(one);
    });
  }, [loaded, pending, view, open, now]);
}

function EmptyList({ filters }: { filters: HoldFilters }) {
  const [title, hint] = emptyWords(filters);
  return (
    <div className="space-y-1 px-6 py-12 text-center">
      <p className="text-base font-medium">{title}</p>
      <p className="text-ink-3">{hint}</p>
    </div>
  );
}
