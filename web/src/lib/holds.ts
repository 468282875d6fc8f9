/** Holds as a resource: types, query keys, order, and how one hold changes every list that is in the cache. */
import { queryOptions, type InfiniteData, type Query, type QueryClient } from "@tanstack/react-query";
import type { paths } from "@/api/schema.gen";
import { answered, client, Problem, type Schemas } from "@/lib/api";
import type { Entry } from "@/lib/events";
import type { LiveMap } from "@/lib/live";

export type Hold = Schemas["HoldOut"];
/** What is to be done. A confirmation or an input may carry none. */
export type Action = NonNullable<Hold["action"]>;
/** As much of a hold as a list shows. */
export type HoldRow = Schemas["HoldRow"];
export type HoldRows = Schemas["HoldRows"];
export type Level = Schemas["Level"];
export type Kind = Schemas["Kind"];
export type Status = Schemas["Status"];

export const LEVELS: readonly Level[] = ["critical", "high", "medium", "low"];
export const KINDS: readonly Kind[] = ["approval", "confirmation", "input", "review"];

/** The server's views, and everything that one may see. */
export type View = Schemas["View"] | "all";
export type Within = "1h" | "24h" | "7d" | "30d";

/** What a list is narrowed to; also the search part of the inbox's address. Without a view: what needs the person. */
export interface HoldFilters {
  view?: View;
  status?: Status;
  kind?: Kind;
  risk?: Level;
  case?: string;
  agent?: string;
  action?: string;
  text?: string;
  within?: Within;
  /** "me", "nobody" or a name. */
  assignee?: string;
  /** Like holds together: says how they are shown, not which. */
  group?: boolean;
}

const HOUR_MS = 3_600_000;
const WITHIN_MS: Record<Within, number> = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 168 * HOUR_MS, "30d": 720 * HOUR_MS };

/** The same as the server is asked for it. */
export function asked({ view = "needs_me", within, group, ...same }: HoldFilters) {
  return {
    ...same,
    ...(view === "all" ? (same.status ? {} : { status: "all" as const }) : { view }),
    ...(within ? { opened_after: new Date(Date.now() - WITHIN_MS[within]).toISOString() } : {}),
  };
}

/** Whether it waits for this person: they may decide it, have not said their word, and do not look at it later. */
export function needsMe(row: HoldRow): boolean {
  const { approvals, required } = row.requirements;
  // an amendment never decides by itself: where no other approval is needed, somebody still has to say so
  const left = row.approvals >= Math.max(approvals, required.length, 1);
  return row.status === "pending" && row.may_decide && row.snoozed_until === null && (!row.reviewed || left);
}

/** Whether what is no longer pending has left this list. */
export function isPendingView({ view = "needs_me" }: HoldFilters): boolean {
  return view === "needs_me" || view === "waiting" || view === "snoozed";
}

export type HoldPages = InfiniteData<HoldRows, string | null>;

export const holdKeys = {
  all: ["holds"] as const,
  lists: ["holds", "list"] as const,
  list: ({ group, ...same }: HoldFilters) => ["holds", "list", same] as const,
  counts: ["holds", "counts"] as const,
  countsOf: (filters: HoldFilters) => ["holds", "counts", filters] as const,
  one: (id: string) => ["holds", "one", id] as const,
  events: (id: string) => ["holds", "events", id] as const,
  comments: (id: string) => ["holds", "comments", id] as const,
  triage: (id: string) => ["holds", "triage", id] as const,
  pack: (id: string, digest: string) => ["holds", "pack", id, digest] as const,
};

export function fetchHold(id: string): Promise<Hold> {
  return answered(client.GET("/api/holds/{hold_id}", { params: { path: { hold_id: id } } }));
}

export function holdQuery(id: string) {
  return queryOptions({ queryKey: holdKeys.one(id), queryFn: () => fetchHold(id) });
}

type RowsQuery = NonNullable<paths["/api/holds/rows"]["get"]["parameters"]["query"]>;

export function fetchRows(query: RowsQuery, signal?: AbortSignal): Promise<HoldRows> {
  return answered(client.GET("/api/holds/rows", { params: { query }, ...(signal ? { signal } : {}) }));
}

/** As the server sorts: pending ones by risk, then deadline; others newest first. */
export function before(a: HoldRow, b: HoldRow, filters: HoldFilters): boolean {
  const keys = (row: HoldRow): (number | string)[] =>
    isPendingView(filters)
      ? [LEVELS.indexOf(row.risk), row.expires_at ? Date.parse(row.expires_at) : Number.POSITIVE_INFINITY, row.id]
      : [-Date.parse(row.opened_at), row.id];
  const [ofA, ofB] = [keys(a), keys(b)];
  const at = ofA.findIndex((key, index) => key !== ofB[index]);
  return at >= 0 && (ofA[at] as number) < (ofB[at] as number);
}

/** The list with this row as it is now. One that no longer belongs there keeps its place: it says who decided. */
export function placed(pages: HoldPages, row: HoldRow, filters: HoldFilters, belongs: boolean): HoldPages {
  const at = pages.pages.findIndex((page) => page.rows.some((one) => one.id === row.id));
  const known = at >= 0 ? pages.pages[at]?.rows.find((one) => one.id === row.id) : undefined;
  if (known && row.revision < known.revision) return pages;
  if (known && (!belongs || sameOrder(known, row))) return mapPage(pages, at, (rows) => rows.map((one) => (one.id === row.id ? row : one)));
  const without = at < 0 ? pages : mapPage(pages, at, (rows) => rows.filter((one) => one.id !== row.id));
  if (!belongs) return without;
  const into = without.pages.findIndex((page) => page.rows.some((one) => before(row, one, filters)));
  if (into >= 0) {
    return mapPage(without, into, (rows) => {
      const index = rows.findIndex((one) => before(row, one, filters));
      return rows.toSpliced(index, 0, row);
    });
  }
  // behind all that is loaded: it will come with its own page, unless there is none
  const last = without.pages.length - 1;
  return without.pages[last]?.next ? without : mapPage(without, last, (rows) => [...rows, row]);
}

function sameOrder(a: HoldRow, b: HoldRow): boolean {
  return a.risk === b.risk && a.expires_at === b.expires_at && a.opened_at === b.opened_at;
}

function mapPage(pages: HoldPages, at: number, change: (rows: HoldRow[]) => HoldRow[]): HoldPages {
  return {
    ...pages,
    pages: pages.pages.map((page, index) => (index === at ? { ...page, rows: change(page.rows) } : page)),
  };
}

/** What a list shows of a hold, for this person. Who looks at it only a row says. */
export function rowOf(hold: Hold, me: string | null, before?: HoldRow): HoldRow {
  const { id, short_id, kind, status, title, digest, revision, risk, requirements, action, items, case_id, run_id } = hold;
  const { opened_by, started_by, opened_at, expires_at, on_expiry, reviews, decision, may_decide } = hold;
  const approvals = new Set(reviews.filter((one) => one.verdict === "approve").map((one) => one.by.id)).size;
  const reviewed = reviews.some((one) => one.by.id === me);
  const same = { id, short_id, kind, status, title, digest, revision, risk, requirements, action, case_id, run_id };
  return { ...same, opened_by, started_by, opened_at, expires_at, on_expiry, approvals, reviewed, decision, items: items.length, may_decide: may_decide.allowed, assignee: before?.assignee ?? null, snoozed_until: before?.snoozed_until ?? null };
}

/** Brings the hold's own entry, and its row in every cached list, up to this state of it. */
export function applyHold(queries: QueryClient, hold: Hold): void {
  const known = queries.getQueryData<Hold>(holdKeys.one(hold.id));
  if (known && hold.revision < known.revision) return;
  queries.setQueryData(holdKeys.one(hold.id), hold);
  const me = queries.getQueryData<Schemas["Me"]>(["me"])?.id ?? null;
  for (const query of lists(queries)) bring(queries, query, rowOf(hold, me, rowIn(queries, query, hold.id)), false);
}

function rowIn(queries: QueryClient, query: Query, id: string): HoldRow | undefined {
  return queries.getQueryData<HoldPages>(query.queryKey)?.pages.flatMap((page) => page.rows).find((row) => row.id === id);
}

function lists(queries: QueryClient): Query[] {
  return queries.getQueryCache().findAll({ queryKey: holdKeys.lists });
}

/** Puts a row into one list, or brings the one that is there up to date; again when a fetch that began before is done. */
function bring(queries: QueryClient, query: Query, row: HoldRow, belongs: boolean): void {
  const pages = queries.getQueryData<HoldPages>(query.queryKey);
  if (pages) queries.setQueryData(query.queryKey, placed(pages, row, query.queryKey[2] as HoldFilters, belongs));
  if (query.state.fetchStatus === "fetching" && query.promise) {
    void query.promise.catch(() => undefined).then(() => bring(queries, query, row, belongs));
  }
}

function removeHold(queries: QueryClient, id: string): void {
  for (const [key, pages] of queries.getQueriesData<HoldPages>({ queryKey: holdKeys.lists })) {
    const at = pages?.pages.findIndex((page) => page.rows.some((one) => one.id === id)) ?? -1;
    if (pages && at >= 0) queries.setQueryData(key, mapPage(pages, at, (rows) => rows.filter((one) => one.id !== id)));
  }
}

// the server shows a count that took it long for a second: the last one is asked for again when that is over
const COUNT_AGAIN_MS = 1_200;
let again: ReturnType<typeof setTimeout> | undefined;

/** Asks how many wait, now and once more. */
export function recount(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: holdKeys.counts });
  clearTimeout(again);
  again = setTimeout(() => void queries.invalidateQueries({ queryKey: holdKeys.counts }), COUNT_AGAIN_MS);
}

// a burst of more is one new request for each list instead
const MOST_ROWS = 100;
const MAY_APPEAR = new Set(["hold.opened", "hold.reopened", "hold.amended", "hold.escalated"]);

function isCached(queries: QueryClient, id: string): boolean {
  if (queries.getQueryData(holdKeys.one(id))) return true;
  return queries
    .getQueriesData<HoldPages>({ queryKey: holdKeys.lists })
    .some(([, pages]) => pages?.pages.some((page) => page.rows.some((one) => one.id === id)));
}

async function refresh(entries: Entry[], queries: QueryClient): Promise<void> {
  const ids = new Set(
    entries.filter((e) => e.hold_id && (MAY_APPEAR.has(e.type) || isCached(queries, e.hold_id))).map((e) => e.hold_id as string),
  );
  for (const { type, hold_id: id } of entries) {
    if (!id) continue;
    void queries.invalidateQueries({ queryKey: type === "hold.commented" ? holdKeys.comments(id) : holdKeys.events(id) });
    void queries.invalidateQueries({ queryKey: holdKeys.triage(id) });
  }
  if (ids.size > MOST_ROWS) {
    recount(queries);
    await queries.invalidateQueries({ queryKey: holdKeys.all });
    return;
  }
  const whole = [...ids].filter((id) => queries.getQueryData(holdKeys.one(id)));
  await Promise.all([ids.size > 0 ? refreshRows([...ids], queries) : null, ...whole.map((id) => refreshOne(id, queries))]);
  // what one looks at comes first: to count what waits may take the server longer than all the rest
  recount(queries);
}

/** Asks once how these stand now, and once for each list that is looked at which of them belong there. */
export async function refreshRows(ids: string[], queries: QueryClient): Promise<void> {
  const looked = lists(queries).filter((query) => query.isActive());
  void queries.invalidateQueries({ queryKey: holdKeys.lists, type: "inactive", refetchType: "none" });
  if (looked.length === 0) return;
  const some = { ids: ids.join(","), limit: ids.length };
  try {
    const [now, ...belonging] = await Promise.all([
      fetchRows({ status: "all", ...some }),
      ...looked.map((query) => fetchRows({ ...asked(query.queryKey[2] as HoldFilters), ...some })),
    ]);
    const known = new Set(now.rows.map((row) => row.id));
    for (const id of ids) if (!known.has(id)) removeHold(queries, id);
    for (const [index, query] of looked.entries()) {
      const here = new Set(belonging[index]?.rows.map((row) => row.id));
      for (const row of now.rows) bring(queries, query, row, here.has(row.id));
    }
  } catch {
    void queries.invalidateQueries({ queryKey: holdKeys.lists });
  }
}

async function refreshOne(id: string, queries: QueryClient): Promise<void> {
  try {
    applyHold(queries, await fetchHold(id));
  } catch (error) {
    if (error instanceof Problem && error.status === 404) removeHold(queries, id);
    else void queries.invalidateQueries({ queryKey: holdKeys.all });
  }
}

/** A notice that arrived, or did not, stands in its hold's timeline. */
function retell(entries: Entry[], queries: QueryClient): void {
  for (const { hold_id: id } of entries) if (id) void queries.invalidateQueries({ queryKey: holdKeys.events(id) });
}

export const holdsLive: LiveMap = { "hold.": refresh, "delivery.": retell };
