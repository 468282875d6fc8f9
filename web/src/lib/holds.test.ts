import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { applyHold, before, fits, holdKeys, type Hold, type HoldFilters, type HoldPages, placed } from "@/lib/holds";
import { aHold } from "@/lib/samples";

const inbox: HoldFilters = {};
const list = (holds: Hold[], next: string | null = null): HoldPages => ({
  pages: [{ holds, next, counts: null }],
  pageParams: [null],
});
const ids = (pages: HoldPages) => pages.pages.flatMap((page) => page.holds.map((hold) => hold.id));

const critical = aHold({ id: "c", risk: "critical" });
const soon = aHold({ id: "s", risk: "high", expires_at: "2026-11-15T10:00:00Z" });
const late = aHold({ id: "l", risk: "high", expires_at: "2026-11-15T12:00:00Z" });
const never = aHold({ id: "n", risk: "high", expires_at: null });

test("pending holds stand by risk, then by deadline, and without a deadline last", () => {
  const order = [never, late, critical, soon].sort((a, b) => (before(a, b, inbox) ? -1 : 1));
  expect(order.map((hold) => hold.id)).toEqual(["c", "s", "l", "n"]);
});

test("a new hold goes to its place among those that are loaded", () => {
  expect(ids(placed(list([critical, late]), soon, inbox, null))).toEqual(["c", "s", "l"]);
});

test("a hold behind everything that is loaded waits for its page", () => {
  expect(ids(placed(list([critical, soon], "more"), late, inbox, null))).toEqual(["c", "s"]);
  expect(ids(placed(list([critical, soon]), late, inbox, null))).toEqual(["c", "s", "l"]);
});

test("a decided hold keeps its place, so that its row can say who decided", () => {
  const decided: Hold = { ...soon, status: "approved" };
  const after = placed(list([critical, soon, late]), decided, inbox, null);
  expect(ids(after)).toEqual(["c", "s", "l"]);
  expect(after.pages[0]?.holds[1]?.status).toBe("approved");
});

test("a decided hold does not enter a list of pending ones", () => {
  expect(ids(placed(list([critical]), { ...soon, status: "rejected" }, inbox, null))).toEqual(["c"]);
});

test("a hold whose risk rose moves", () => {
  const risen: Hold = { ...late, risk: "critical" };
  expect(ids(placed(list([soon, late]), risen, inbox, null))).toEqual(["l", "s"]);
});

test("search finds beginnings of words of title, action, target and case, as the server does", () => {
  const hold = aHold({ title: "Refund order-77", case_id: "Billing" });
  expect(fits(hold, { text: "ord 77 bill" }, null)).toBe(true);
  expect(fits(hold, { text: "rder" }, null)).toBe(false);
});

test("mine are those that I opened or whose run I started", () => {
  const opened = aHold({ opened_by: { id: "me", name: "Me", kind: "person" } });
  expect(fits(opened, { mine: true }, "me")).toBe(true);
  expect(fits(opened, { mine: true }, "you")).toBe(false);
});

test("a list that was asked for before a hold was opened has it all the same", async () => {
  const queries = new QueryClient();
  let answer: (pages: HoldPages) => void = () => undefined;
  const asked = new Promise<HoldPages>((resolve) => (answer = resolve));
  const fetching = queries.query({ queryKey: holdKeys.list({}), queryFn: () => asked });
  applyHold(queries, soon);
  answer(list([critical]));
  await fetching;
  await Promise.resolve();
  expect(ids(queries.getQueryData(holdKeys.list({})) ?? list([]))).toEqual(["c", "s"]);
});
