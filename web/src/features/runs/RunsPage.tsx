/** The list of runs, beside the one that is open where there is room. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Play } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { runsQuery } from "@/features/runs/api";
import { WORDS } from "@/features/runs/RunMark";
import { RunRow } from "@/features/runs/RunRow";
import { readRunSearch } from "@/features/runs/search";
import { problemFrom } from "@/lib/api";
import { cn } from "@/lib/cn";
import { line } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { readsAll, useMe } from "@/lib/me";
import { RUN_STATUSES, type Run, type RunFilters } from "@/lib/runs";
import { workflowsQuery } from "@/lib/workflows";

export function RunsPage() {
  const filters: RunFilters = useSearch({ from: "/shell/runs" });
  const { runId: open } = useParams({ strict: false });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const list = useInfiniteQuery(runsQuery(filters));
  const runs = useMemo(() => list.data?.pages.flatMap((page) => page.runs) ?? [], [list.data]);
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const current = open ?? highlighted;
  const beside = pathname !== "/runs";
  const teaches = runs.length === 0 && list.isSuccess && Object.keys(filters).length === 0;

  function show(id: string) {
    void navigate({ to: "/runs/$runId", params: { runId: id }, search: filters });
  }
  function move(step: 1 | -1) {
    const at = runs.findIndex((run) => run.id === current);
    const next = runs[at < 0 ? 0 : Math.min(runs.length - 1, Math.max(0, at + step))];
    if (!next) return;
    if (open) show(next.id);
    else setHighlighted(next.id);
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => current && !open && show(current),
    n: () => void navigate({ to: "/runs/start", search: filters }),
    Escape: () => {
      if (open) setHighlighted(open);
      if (beside) void navigate({ to: "/runs", search: filters });
    },
  });

  return (
    <div className="flex h-full min-h-0">
      <section
        aria-label="Runs"
        className={cn("flex min-h-0 w-full flex-col border-r border-line md:w-80 lg:w-92", (beside || teaches) && "hidden md:flex")}
      >
        <FilterBar filters={filters} />
        {list.isError && runs.length === 0 ? (
          <Notice tone="error" title={problemFrom(list.error).message} className="m-4">
            <Button className="mt-2" onClick={() => void list.refetch()}>
              Try again
            </Button>
          </Notice>
        ) : list.isPending ? (
          <Waiting what="runs" />
        ) : runs.length === 0 ? (
          <p className="px-6 py-12 text-center text-ink-3">
            {teaches ? "No run yet." : "No run fits. Change or clear the filters."}
          </p>
        ) : (
          <RunList
            runs={runs}
            current={current}
            filters={filters}
            more={list.hasNextPage}
            onNearEnd={() => !list.isFetchingNextPage && void list.fetchNextPage()}
          />
        )}
      </section>
      <div className={cn("min-h-0 min-w-0 flex-1", !beside && !teaches && "hidden md:block")}>
        <Outlet />
      </div>
    </div>
  );
}

function FilterBar({ filters }: { filters: RunFilters }) {
  const navigate = useNavigate();
  const me = useMe();
  const workflows = useQuery(workflowsQuery).data ?? [];
  const names = [...new Set([...workflows.map((one) => one.name), ...(filters.workflow ? [filters.workflow] : [])])].sort();
  function narrow(change: Record<string, unknown>) {
    void navigate({ to: "/runs", search: readRunSearch({ ...filters, ...change }), replace: true });
  }
  return (
    <div className="space-y-2.5 border-b border-line px-4 pt-3 pb-3">
      <div className="flex items-center justify-between gap-3">
        <h1 className="text-base font-semibold">Runs</h1>
        <Link
          to="/runs/start"
          search={filters}
          title="Start a run (n)"
          className="inline-flex h-8 items-center gap-2 rounded-md border border-line bg-panel px-2.5 font-medium hover:bg-sunken"
        >
          <Play aria-hidden className="size-3.5" /> Start a run
        </Link>
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Select aria-label="Only of status" value={filters.status ?? ""} onChange={(e) => narrow({ status: e.target.value })}>
          <option value="">Every status</option>
          {RUN_STATUSES.map((status) => (
            <option key={status} value={status}>
              {WORDS[status]}
            </option>
          ))}
        </Select>
        <Select aria-label="Only of workflow" value={filters.workflow ?? ""} onChange={(e) => narrow({ workflow: e.target.value })}>
          <option value="">Every workflow</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {line(name)}
            </option>
          ))}
        </Select>
      </div>
      {readsAll(me) ? (
        <label className="flex w-fit items-center gap-2">
          <input type="checkbox" className="size-4 accent-accent" checked={filters.mine ?? false} onChange={(e) => narrow({ mine: e.target.checked })} />
          Started by me
        </label>
      ) : null}
    </div>
  );
}

const ROW_PX = 78;
// so many rows before the end, the next page is asked for
const AHEAD = 25;

interface ListProps {
  runs: Run[];
  current: string | null;
  filters: RunFilters;
  more: boolean;
  onNearEnd: () => void;
}

/** The rows that can be seen, of however many there are. */
function RunList({ runs, current, filters, more, onNearEnd }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (index) => runs[index]?.id ?? index,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last > runs.length - AHEAD) onNearEnd();
  });
  const at = runs.findIndex((run) => run.id === current);
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at);
    // only when another one becomes current: new rows above must not move the page
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [current]);
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
      <ul aria-label="Runs, newest first" className="relative" style={{ height: rows.getTotalSize() }}>
        {shown.map((item) => {
          const run = runs[item.index];
          if (!run) return null;
          return (
            <li
              key={run.id}
              aria-setsize={more ? -1 : runs.length}
              aria-posinset={item.index + 1}
              className="absolute inset-x-0 top-0"
              style={{ height: ROW_PX, transform: `translateY(${item.start}px)` }}
            >
              <RunRow run={run} current={run.id === current} filters={filters} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
