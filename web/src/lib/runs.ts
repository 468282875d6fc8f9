/** Runs as a resource: types, query keys, and how one run changes every list that is in the cache. */
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { answered, client, Problem, type Schemas } from "@/lib/api";
import type { Entry } from "@/lib/events";
import type { LiveMap } from "@/lib/live";

export type Run = Schemas["RunOut"];
export type RunDetail = Schemas["RunDetail"];
export type RunStatus = Schemas["RunStatus"];
export type RunPages = InfiniteData<Schemas["RunPage"], string | null>;

export const RUN_STATUSES: readonly RunStatus[] = ["queued", "running", "paused", "completed", "failed", "cancelled", "expired"];

/** What a list is narrowed to; also the search part of its address. */
export interface RunFilters {
  status?: RunStatus;
  workflow?: string;
  mine?: boolean;
  /** The run whose input the next one begins with; narrows nothing. */
  from?: string;
}

export const runKeys = {
  all: ["runs"] as const,
  lists: ["runs", "list"] as const,
  list: (filters: RunFilters) => ["runs", "list", filters] as const,
  one: (id: string) => ["runs", "one", id] as const,
};

export function fetchRun(id: string): Promise<RunDetail> {
  return answered(client.GET("/api/runs/{run_id}", { params: { path: { run_id: id } } }));
}

export function isActive(run: { status: RunStatus }): boolean {
  return ["queued", "running", "paused"].includes(run.status);
}

export function runFits(run: Run, filters: RunFilters, me: string | null): boolean {
  return (
    (filters.status === undefined || run.status === filters.status) &&
    (filters.workflow === undefined || run.workflow === filters.workflow) &&
    (!filters.mine || run.started_by.id === me)
  );
}

/** The list, newest first, with this run as it is now; without it where it no longer fits. */
export function placedRun(pages: RunPages, run: Run, filters: RunFilters, me: string | null): RunPages {
  const fits = runFits(run, filters, me);
  if (pages.pages.some((page) => page.runs.some((one) => one.id === run.id))) {
    return mapPages(pages, (runs) => runs.flatMap((one) => (one.id !== run.id ? [one] : fits ? [run] : [])));
  }
  if (!fits) return pages;
  const into = pages.pages.findIndex((page) => page.runs.some((one) => isNewer(run, one)));
  const last = pages.pages.length - 1;
  // behind all that is loaded: it will come with its own page, unless there is none
  if (into < 0 && pages.pages[last]?.next) return pages;
  return mapPages(pages, (runs, index) => {
    if (index !== (into < 0 ? last : into)) return runs;
    const at = runs.findIndex((one) => isNewer(run, one));
    return runs.toSpliced(at < 0 ? runs.length : at, 0, run);
  });
}

function isNewer(a: Run, b: Run): boolean {
  const [ofA, ofB] = [Date.parse(a.created_at), Date.parse(b.created_at)];
  return ofA > ofB || (ofA === ofB && a.id > b.id);
}

function mapPages(pages: RunPages, change: (runs: Run[], index: number) => Run[]): RunPages {
  return { ...pages, pages: pages.pages.map((page, index) => ({ ...page, runs: change(page.runs, index) })) };
}

/** Brings every cached list, and the run's own entry where all of it is given, up to this state of it. */
export function applyRun(queries: QueryClient, run: RunDetail): void {
  const me = queries.getQueryData<Schemas["Me"]>(["me"])?.id ?? null;
  const known = queries.getQueryData<RunDetail>(runKeys.one(run.id));
  // answers may overtake each other
  if (known && known.seq > run.seq) return;
  queries.setQueryData(runKeys.one(run.id), run);
  for (const [key, pages] of queries.getQueriesData<RunPages>({ queryKey: runKeys.lists })) {
    if (pages) queries.setQueryData(key, placedRun(pages, run, key[2] as RunFilters, me));
  }
}

// a burst of more is one new request for each list instead
const MOST_SINGLE = 10;
// how far a run has come is of interest to who looks at it
const PROGRESS = new Set(["run.step_completed", "run.progressed", "run.tool_called", "run.tool_returned"]);

async function refresh(entries: Entry[], queries: QueryClient): Promise<void> {
  const isOpen = (id: string) => queries.getQueryCache().find({ queryKey: runKeys.one(id) })?.isActive() ?? false;
  const ids = new Set(entries.flatMap((e) => (e.run_id && (!PROGRESS.has(e.type) || isOpen(e.run_id)) ? [e.run_id] : [])));
  if (ids.size > MOST_SINGLE) {
    await queries.invalidateQueries({ queryKey: runKeys.all });
    return;
  }
  await Promise.all([...ids].map((id) => refreshOne(id, queries)));
}

async function refreshOne(id: string, queries: QueryClient): Promise<void> {
  try {
    applyRun(queries, await fetchRun(id));
  } catch (error) {
    // of a run that one may not see, nothing is in the cache
    if (!(error instanceof Problem && error.status === 404)) void queries.invalidateQueries({ queryKey: runKeys.all });
  }
}

export const runsLive: LiveMap = { "run.": refresh };
