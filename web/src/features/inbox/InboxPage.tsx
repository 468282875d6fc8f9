/** The list of holds, beside the one that is open where there is room. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { holdsQuery } from "@/features/inbox/api";
import { BulkBar } from "@/features/inbox/BulkBar";
import { FilterBar } from "@/features/inbox/FilterBar";
import { HoldList } from "@/features/inbox/HoldList";
import { useSelection } from "@/features/inbox/selection";
import { problemFrom } from "@/lib/api";
import { cn } from "@/lib/cn";
import { useNow } from "@/lib/clock";
import { type Hold, type HoldFilters } from "@/lib/holds";
import { useKeys } from "@/lib/keys";
import { setOrder } from "@/lib/order";

// a row that was decided stays as long, to say by whom
const FAREWELL_MS = 8_000;

export function InboxPage() {
  const filters: HoldFilters = useSearch({ strict: false });
  const { holdId: open } = useParams({ strict: false });
  const navigate = useNavigate();
  const list = useInfiniteQuery(holdsQuery(filters));
  const loaded = useMemo(() => list.data?.pages.flatMap((page) => page.holds) ?? [], [list.data]);
  const holds = useCurrent(loaded, filters, open);
  const selection = useSelection(loaded);
  const search = useRef<HTMLInputElement>(null);
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const current = open ?? highlighted;
  // an empty inbox teaches: where there is room for one of the two, that comes first
  const teaches = !open && list.isSuccess && holds.length === 0 && Object.keys(filters).length === 0;

  useEffect(() => setOrder(holds.map((hold) => hold.id)), [holds]);

  function show(id: string) {
    void navigate({ to: "/holds/$holdId", params: { holdId: id }, search: filters });
  }
  function move(step: 1 | -1) {
    const at = holds.findIndex((hold) => hold.id === current);
    const next = holds[at < 0 ? 0 : Math.min(holds.length - 1, Math.max(0, at + step))];
    if (!next) return;
    if (open) show(next.id);
    else setHighlighted(next.id);
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => current && !open && show(current),
    x: () => {
      const hold = holds.find((one) => one.id === current);
      if (hold) selection.toggle(hold);
    },
    "/": () => search.current?.focus(),
    Escape: () => {
      if (open) {
        setHighlighted(open);
        void navigate({ to: "/inbox", search: filters });
      }
    },
  });

  return (
    <div className="flex h-full min-h-0">
      <section
        aria-label="Holds"
        className={cn("flex min-h-0 w-full flex-col border-r border-line md:w-88 lg:w-104", (open || teaches) && "hidden md:flex")}
      >
        <FilterBar filters={filters} searchRef={search} />
        {list.isError && loaded.length === 0 ? (
          <Notice tone="error" title={problemFrom(list.error).message} className="m-4">
            <Button className="mt-2" onClick={() => void list.refetch()}>
              Try again
            </Button>
          </Notice>
        ) : list.isPending ? (
          <Waiting what="holds" />
        ) : holds.length === 0 ? (
          <EmptyList filters={filters} />
        ) : (
          <HoldList
            holds={holds}
            current={current ?? null}
            filters={filters}
            selection={selection}
            more={list.hasNextPage}
            onNearEnd={() => !list.isFetchingNextPage && list.hasNextPage && void list.fetchNextPage()}
          />
        )}
        <BulkBar selection={selection} />
      </section>
      <div className={cn("min-h-0 min-w-0 flex-1", !open && !teaches && "hidden md:block")}>
        <Outlet />
      </div>
    </div>
  );
}

/** Without those that were decided a while ago: they are no longer in an inbox. */
function useCurrent(loaded: Hold[], filters: HoldFilters, open: string | undefined): Hold[] {
  const inbox = filters.status === undefined;
  const leaving = inbox && loaded.some((hold) => hold.decision !== null);
  const now = useNow(leaving ? 1_000 : 3_600_000);
  return useMemo(() => {
    if (!inbox) return loaded;
    return loaded.filter((one) => one.decision === null || one.id === open || now - Date.parse(one.decision.at) < FAREWELL_MS);
  }, [loaded, inbox, open, now]);
}

function EmptyList({ filters }: { filters: HoldFilters }) {
  const filtered = Object.keys(filters).length > 0;
  return (
    <div className="space-y-1 px-6 py-12 text-center">
      <p className="text-base font-medium">{filtered ? "Nothing fits." : "Nothing waits for you."}</p>
      <p className="text-ink-3">{filtered ? "Change or clear the filters." : "New holds appear here by themselves."}</p>
    </div>
  );
}
