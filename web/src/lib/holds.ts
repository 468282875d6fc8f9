/** Holds as a resource: types, query keys, order, and how one hold changes every list that is in the cache. */
import { queryOptions, type InfiniteData, type Query, type QueryClient } from "@tanstack/react-query";
import { answered, client, Problem, type Schemas } from "@/lib/api";
import type { Entry } from "@/lib/events";
import type { LiveMap } from "@/lib/live";
import { SHORT_ID } from "@/lib/short-ids";

export type Hold = Schemas["HoldOut"];
/** What is to be done. A confirmation or an input may carry none. */
export type Action = NonNullable<Hold["action"]>;
export type HoldPage = Schemas["HoldPage"];
export type Level = Schemas["Level"];
export type Kind = Schemas["Kind"];
export type Status = Schemas["Status"];

export const LEVELS: readonly Level[] = ["critical", "high", "medium", "low"];
export const KINDS: readonly Kind[] = ["approval", "confirmation", "input", "review"];

/** What a list is narrowed to; also the search part of the inbox's address. */
export interface HoldFilters {
  status?: Status | "all";
  kind?: Kind;
  risk?: Level;
  case?: string;
  text?: string;
  mine?: boolean;
}

export type HoldPages = InfiniteData<HoldPage, string | null>;

export const holdKeys = {
  all: ["holds"] as const,
  lists: ["holds", "list"] as const,
  list: (filters: HoldFilters) => ["holds", "list", filters] as const,
  counts: ["holds", "counts"] as const,
  countsOf: (filters: HoldFilters) => ["holds", "counts", filters] as const,
  one: (id: string) => ["holds", "one", id] as const,
  events: (id: string) => ["holds", "events", id] as const,
  comments: (id: string) => ["holds", "comments", id] as const,
  precedents: (id: string, action: string) => ["holds", "precedents", id, action] as const,
};

export function fetchHold(id: string): Promise<Hold> {
  return answered(client.GET("/api/holds/{hold_id}", { params: { path: { hold_id: id } } }));
}

export function holdQuery(id: string) {
  return queryOptions({ queryKey: holdKeys.one(id), queryFn: () => fetchHold(id) });
}

/** As the server sorts: pending ones by risk, then deadline; others newest first. */
export function before(a: Hold, b: Hold, filters: HoldFilters): boolean {
  const keys = (hold: Hold): (number | string)[] =>
    isInbox(filters)
      ? [LEVELS.indexOf(hold.risk), hold.expires_at ? Date.parse(hold.expires_at) : Number.POSITIVE_INFINITY, hold.id]
      : [-Date.parse(hold.opened_at), hold.id];
  const [ofA, ofB] = [keys(a), keys(b)];
  const at = ofA.findIndex((key, index) => key !== ofB[index]);
  return at >= 0 && (ofA[at] as number) < (ofB[at] as number);
}

function isInbox(filters: HoldFilters): boolean {
  return (filters.status ?? "pending") === "pending";
}

/** Whether the server would list this hold under these filters. */
export function fits(hold: Hold, filters: HoldFilters, me: string | null): boolean {
  const status = filters.status ?? "pending";
  return (
    (status === "all" || hold.status === status) &&
    (filters.kind === undefined || hold.kind === filters.kind) &&
    (filters.risk === undefined || hold.risk === filters.risk) &&
    (filters.case === undefined || hold.case_id === filters.case) &&
    (!filters.mine || hold.opened_by.id === me || hold.started_by?.id === me) &&
    hasWords(hold, filters.text ?? "")
  );
}

function hasWords(hold: Hold, text: string): boolean {
  if (SHORT_ID.test(text.trim())) return hold.short_id === text.trim().toUpperCase();
  const split = (from: string) => from.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const own = split([hold.title, hold.description, hold.action?.name, hold.action?.target, hold.case_id].join(" "));
  return split(text).every((sought) => own.some((word) => word.startsWith(sought)));
}

/** The list with this hold as it is now. One that has been decided keeps its place: the row says by whom. */
export function placed(pages: HoldPages, hold: Hold, filters: HoldFilters, me: string | null): HoldPages {
  const at = pages.pages.findIndex((page) => page.holds.some((one) => one.id === hold.id));
  const known = at >= 0 ? pages.pages[at]?.holds.find((one) => one.id === hold.id) : undefined;
  const stays = known && (!fits(hold, filters, me) || sameOrder(known, hold));
  if (stays) return mapPage(pages, at, (holds) => holds.map((one) => (one.id === hold.id ? hold : one)));
  const without = at < 0 ? pages : mapPage(pages, at, (holds) => holds.filter((one) => one.id !== hold.id));
  if (!fits(hold, filters, me)) return without;
  const into = without.pages.findIndex((page) => page.holds.some((one) => before(hold, one, filters)));
  if (into >= 0) {
    return mapPage(without, into, (holds) => {
      const index = holds.findIndex((one) => before(hold, one, filters));
      return holds.toSpliced(index, 0, hold);
    });
  }
  // behind all that is loaded: it will come with its own page, unless there is none
  const last = without.pages.length - 1;
  return without.pages[last]?.next ? without : mapPage(without, last, (holds) => [...holds, hold]);
}

function sameOrder(a: Hold, b: Hold): boolean {
  return a.risk === b.risk && a.expires_at === b.expires_at && a.opened_at === b.opened_at;
}

function mapPage(pages: HoldPages, at: number, change: (holds: Hold[]) => Hold[]): HoldPages {
  return {
    ...pages,
    pages: pages.pages.map((page, index) => (index === at ? { ...page, holds: change(page.holds) } : page)),
  };
}

/** Brings every cached list and the hold's own entry up to this state of it. */
export function applyHold(queries: QueryClient, hold: Hold): void {
  const known = queries.getQueryData<Hold>(holdKeys.one(hold.id));
  if (known && isOlder(hold, known)) return;
  queries.setQueryData(holdKeys.one(hold.id), hold);
  for (const query of queries.getQueryCache().findAll({ queryKey: holdKeys.lists })) bring(queries, query, hold.id);
}

/** Puts the hold, as it is known by now, into one list; again when a fetch is done that began before it was so. */
function bring(queries: QueryClient, query: Query, id: string): void {
  const me = queries.getQueryData<Schemas["Me"]>(["me"])?.id ?? null;
  const pages = queries.getQueryData<HoldPages>(query.queryKey);
  const hold = queries.getQueryData<Hold>(holdKeys.one(id));
  if (pages && hold) queries.setQueryData(query.queryKey, placed(pages, hold, query.queryKey[2] as HoldFilters, me));
  if (query.state.fetchStatus === "fetching" && query.promise) {
    void query.promise.catch(() => undefined).then(() => bring(queries, query, id));
  }
}

/** Answers may overtake each other; a revision never goes back. */
function isOlder(hold: Hold, known: Hold): boolean {
  return hold.revision < known.revision;
}

function removeHold(queries: QueryClient, id: string): void {
  for (const [key, pages] of queries.getQueriesData<HoldPages>({ queryKey: holdKeys.lists })) {
    const at = pages?.pages.findIndex((page) => page.holds.some((one) => one.id === id)) ?? -1;
    if (pages && at >= 0) queries.setQueryData(key, mapPage(pages, at, (holds) => holds.filter((one) => one.id !== id)));
  }
}

// a burst of more is one new request for each list instead
const MOST_SINGLE = 20;
const MAY_APPEAR = new Set(["hold.opened", "hold.reopened", "hold.amended", "hold.escalated"]);

function isCached(queries: QueryClient, id: string): boolean {
  if (queries.getQueryData(holdKeys.one(id))) return true;
  return queries
    .getQueriesData<HoldPages>({ queryKey: holdKeys.lists })
    .some(([, pages]) => pages?.pages.some((page) => page.holds.some((one) => one.id === id)));
}

async function refresh(entries: Entry[], queries: QueryClient): Promise<void> {
  const ids = new Set(
    entries.filter((e) => e.hold_id && (MAY_APPEAR.has(e.type) || isCached(queries, e.hold_id))).map((e) => e.hold_id as string),
  );
  void queries.invalidateQueries({ queryKey: holdKeys.counts });
  for (const { type, hold_id: id } of entries) {
    if (id) void queries.invalidateQueries({ queryKey: type === "hold.commented" ? holdKeys.comments(id) : holdKeys.events(id) });
  }
  if (ids.size > MOST_SINGLE) {
    await queries.invalidateQueries({ queryKey: holdKeys.all });
    return;
  }
  await Promise.all([...ids].map((id) => refreshOne(id, queries)));
}

async function refreshOne(id: string, queries: QueryClient): Promise<void> {
  try {
    applyHold(queries, await fetchHold(id));
  } catch (error) {
    if (error instanceof Problem && error.status === 404) removeHold(queries, id);
    else void queries.invalidateQueries({ queryKey: holdKeys.all });
  }
}

export const holdsLive: LiveMap = { "hold.": refresh };
