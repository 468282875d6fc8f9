// @vitest-environment jsdom
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { applyHold, before, holdKeys, holdsLive, placed, rowOf, type HoldFilters, type HoldPages, type HoldRow } from "@/lib/holds";
import type { Entry } from "@/lib/events";
import { aHold } from "@/lib/samples";

const inbox: HoldFilters = {};
const aRow = (fields: Parameters<typeof aHold>[0]) => rowOf(aHold(fields), null);
const list = (rows: HoldRow[], next: string | null = null): HoldPages => ({
  pages: [{ rows, next }],
  pageParams: [null],
});
const ids = (pages: HoldPages) => pages.pages.flatMap((page) => page.rows.map((row) => row.id));

const critical = aRow({ id: "c", risk: "critical" });
const soon = aRow({ id: "s", risk: "high", expires_at: "2026-11-15T10:00:00Z" });
const late = aRow({ id: "l", risk: "high", expires_at: "2026-11-15T12:00:00Z" });
const never = aRow({ id: "n", risk: "high", expires_at: null });

test("pending holds stand by risk, then by deadline, and without a deadline last", () => {
  const order = [never, late, critical, soon].sort((a, b) => (before(a, b, inbox) ? -1 : 1));
  expect(order.map((hold) => hold.id)).toEqual(["c", "s", "l", "n"]);
});

test("a new hold goes to its place among those that are loaded", () => {
  expect(ids(placed(list([critical, late]), soon, inbox, true))).toEqual(["c", "s", "l"]);
});

test("a hold behind everything that is loaded waits for its page", () => {
  expect(ids(placed(list([critical, soon], "more"), late, inbox, true))).toEqual(["c", "s"]);
  expect(ids(placed(list([critical, soon]), late, inbox, true))).toEqual(["c", "s", "l"]);
});

test("a decided hold keeps its place, so that its row can say who decided", () => {
  const decided: HoldRow = { ...soon, status: "approved" };
  const after = placed(list([critical, soon, late]), decided, inbox, false);
  expect(ids(after)).toEqual(["c", "s", "l"]);
  expect(after.pages[0]?.rows[1]?.status).toBe("approved");
});

test("a decided hold does not enter a list of pending ones", () => {
  expect(ids(placed(list([critical]), { ...soon, status: "rejected" }, inbox, false))).toEqual(["c"]);
});

test("a hold whose risk rose moves", () => {
  const risen: HoldRow = { ...late, risk: "critical" };
  expect(ids(placed(list([soon, late]), risen, inbox, true))).toEqual(["l", "s"]);
});

test("a row that an older answer brings does not undo an amendment", () => {
  const amended: HoldRow = { ...soon, revision: 2, title: "amended" };
  expect(placed(list([amended]), soon, inbox, true).pages[0]?.rows[0]?.title).toBe("amended");
});

test("what a person decided shows in every list at once, and enters none", () => {
  const queries = new QueryClient();
  queries.setQueryData(holdKeys.list({}), list([critical, soon]));
  queries.setQueryData(holdKeys.list({ risk: "critical" }), list([critical]));
  applyHold(queries, aHold({ id: "s", status: "approved" }));
  expect(queries.getQueryData<HoldPages>(holdKeys.list({}))?.pages[0]?.rows.map((row) => row.status)).toEqual(["pending", "approved"]);
  expect(ids(queries.getQueryData(holdKeys.list({ risk: "critical" })) ?? list([]))).toEqual(["c"]);
});

afterEach(() => vi.unstubAllGlobals());

const opened = (id: string) => ({ type: "hold.opened", hold_id: id, seq: 1 }) as unknown as Entry;

test("new holds enter the list that is looked at where the server says so, in one request for the list", async () => {
  const queries = new QueryClient();
  const asked: string[] = [];
  vi.stubGlobal("fetch", (request: Request) => {
    asked.push(new URL(request.url).search);
    const all = request.url.includes("status=all");
    return Promise.resolve(Response.json({ rows: all ? [soon, late] : [soon], next: null }));
  });
  const watching = new QueryObserver(queries, { queryKey: holdKeys.list({ risk: "high" }), queryFn: () => list([critical]) });
  const stop = watching.subscribe(() => undefined);
  queries.setQueryData(holdKeys.list({ risk: "high" }), list([critical]));
  await holdsLive["hold."]?.([opened("s"), opened("l")], queries);
  expect(ids(queries.getQueryData(holdKeys.list({ risk: "high" })) ?? list([]))).toEqual(["c", "s"]);
  expect(asked.filter((one) => one.includes("ids="))).toHaveLength(2);
  expect(asked.some((one) => one.includes("risk=high"))).toBe(true);
  stop();
});
