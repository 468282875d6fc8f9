/** The list of holds, beside the one that is open where there is room. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useRef } from "react";
import { Desk } from "@/components/desk";
import { Rows } from "@/components/rows";
import { holdsQuery } from "@/features/inbox/api";
import { FilterBar } from "@/features/inbox/FilterBar";
import { HoldRow } from "@/features/inbox/HoldRow";
import { useSelection } from "@/features/inbox/selection";
import { useNow } from "@/lib/clock";
import { type Hold, type HoldFilters } from "@/lib/holds";
import { useListKeys } from "@/lib/list-keys";
import { setOrder } from "@/lib/order";

// not needed to begin with
const BulkBar = lazy(() => import("@/features/inbox/BulkBar"));

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
  // an empty inbox teaches: where there is room for one of the two, that comes first
  const teaches = !open && list.isSuccess && holds.length === 0 && Object.keys(filters).length === 0;

  useEffect(() => setOrder(holds.map((hold) => hold.id)), [holds]);

  const current = useListKeys(
    {
      ids: holds.map((hold) => hold.id),
      open,
      show: (id) => void navigate({ to: "/holds/$holdId", params: { holdId: id }, search: filters }),
      leave: () => open && void navigate({ to: "/inbox", search: filters }),
    },
    (marked) => ({
      x: () => {
        const hold = holds.find((one) => one.id === marked);
        if (hold) selection.toggle(hold);
      },
      "/": () => search.current?.focus(),
    }),
  );

  return (
    <Desk
      label="Holds"
      beside={Boolean(open) || teaches}
      list={
        <>
          <FilterBar filters={filters} searchRef={search} />
          <Rows
            list={list}
            of={holds}
            idOf={(hold) => hold.id}
            current={current}
            what="holds"
            label="Holds, most urgent first"
            empty={<EmptyList filters={filters} />}
          >
            {(hold) => <HoldRow hold={hold} current={hold.id === current} filters={filters} selection={selection} />}
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
      <p className="text-base font-medium">{filtered ? "No matches." : "Nothing needs your decision."}</p>
      <p className="text-ink-3">{filtered ? "Change or clear the filters." : "New holds appear here automatically."}</p>
    </div>
  );
}
