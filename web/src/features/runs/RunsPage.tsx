/** The list of runs, beside the one that is open where there is room. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useMemo } from "react";
import { Desk } from "@/components/desk";
import { Row } from "@/components/row";
import { Rows } from "@/components/rows";
import { Pick } from "@/components/ui/pick";
import { runsQuery } from "@/features/runs/api";
import { RunMark, WORDS } from "@/components/run-mark";
import { readRunSearch } from "@/features/runs/search";
import { TEXTS } from "@/features/runs/texts";
import { line, plural } from "@/lib/format";
import { useListKeys } from "@/lib/list-keys";
import { readsAll, useMe } from "@/lib/me";
import { failure } from "@/lib/run-wording";
import { RUN_STATUSES, type RunFilters } from "@/lib/runs";
import { workflowsQuery } from "@/lib/workflows";

export function RunsPage() {
  const filters: RunFilters = useSearch({ from: "/shell/runs" });
  const { runId: open } = useParams({ strict: false });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const list = useInfiniteQuery(runsQuery(filters));
  const runs = useMemo(() => list.data?.pages.flatMap((page) => page.runs) ?? [], [list.data]);
  const beside = pathname !== "/runs";
  const teaches = runs.length === 0 && list.isSuccess && Object.keys(filters).length === 0;
  const current = useListKeys(
    {
      ids: runs.map((run) => run.id),
      open,
      show: (id) => void navigate({ to: "/runs/$runId", params: { runId: id }, search: filters }),
      leave: () => beside && void navigate({ to: "/runs", search: filters }),
    },
    () => ({ n: () => void navigate({ to: "/runs/start", search: filters }) }),
  );
  return (
    <Desk
      label={TEXTS.runsPage.runs}
      beside={beside || teaches}
      list={
        <>
          <FilterBar filters={filters} />
          <Rows
            list={list}
            of={runs}
            idOf={(run) => run.id}
            current={current}
            what={TEXTS.runsPage.what}
            label={TEXTS.runsPage.newestFirst}
            empty={<p className="px-6 py-12 text-center text-ink-3">{teaches ? TEXTS.runsPage.noRunsYet : TEXTS.runsPage.noRunsMatch}</p>}
          >
            {(run) => (
              <Row
                link={{ to: "/runs/$runId", params: { runId: run.id }, search: filters }}
                current={run.id === current}
                mark={<RunMark status={run.status} />}
                at={run.created_at}
                title={run.workflow}
                about={run.status === "failed" ? (failure(run.error)?.message ?? "failed") : `${run.short_id} · ${line(run.started_by.name)} · ${plural(run.usage.steps, "step")}`}
              />
            )}
          </Rows>
        </>
      }
    >
      <Outlet />
    </Desk>
  );
}

function FilterBar({ filters }: { filters: RunFilters }) {
  const navigate = useNavigate();
  const me = useMe();
  const workflows = useQuery(workflowsQuery).data ?? [];
  const names = [...new Set([...workflows.map((one) => one.name), ...(filters.workflow ? [filters.workflow] : [])])].sort();
  function narrow(change: Record<string, unknown>) {
    void navigate({ to: "/runs", search: (now: Record<string, unknown>) => readRunSearch({ ...now, ...change }), replace: true });
  }
  return (
    <div className="space-y-2.5 border-b border-line px-4 pt-3 pb-3">
      <div className="flex items-center justify-between gap-3">
        <h1 className="text-base font-semibold">{TEXTS.runsPage.runs}</h1>
        <Link
          to="/runs/start"
          search={filters}
          title={TEXTS.runsPage.startByKey}
          className="inline-flex h-8 items-center gap-2 rounded-md border border-line bg-panel px-2.5 font-medium hover:bg-sunken"
        >
          <Play aria-hidden className="size-3.5" /> {TEXTS.runsPage.startARun}
        </Link>
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Pick
          label={TEXTS.runsPage.filterByStatus}
          every={TEXTS.runsPage.everyStatus}
          value={filters.status}
          options={RUN_STATUSES.map((status) => [status, WORDS[status]])}
          onPick={(status) => narrow({ status })}
        />
        <Pick
          label={TEXTS.runsPage.filterByWorkflow}
          every={TEXTS.runsPage.everyWorkflow}
          value={filters.workflow}
          options={names.map((name) => [name, line(name)])}
          onPick={(workflow) => narrow({ workflow })}
        />
      </div>
      {readsAll(me) ? (
        <label className="flex w-fit items-center gap-2">
          <input type="checkbox" className="size-4 accent-accent" checked={filters.mine ?? false} onChange={(e) => narrow({ mine: e.target.checked })} />
          {TEXTS.runsPage.startedByMe}
        </label>
      ) : null}
    </div>
  );
}
