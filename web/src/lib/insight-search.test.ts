import { expect, test } from "vitest";
import { asked, askedOfHolds, behind, readInsightSearch } from "@/lib/insight-search";

const NOW = Date.parse("2026-11-17T12:00:30Z");

test("an address that nobody made is read as far as it means something", () => {
  expect(readInsightSearch({ agent: 3, hour: "x", weekday: 2, period: "9d", show: "yes", risk: "high" })).toEqual({ weekday: 2, risk: "high" });
  expect(readInsightSearch({ period: "30d" })).toEqual({});
  expect(readInsightSearch({ period: "7d", show: true })).toEqual({ period: "7d", show: true });
});

test("a period ends at the next full minute, so that the same question is asked once", () => {
  expect(asked({ period: "7d", agent: "a" }, NOW)).toEqual({ agent: "a", since: "2026-11-10T12:01:00.000Z", until: "2026-11-17T12:01:00.000Z" });
  expect(asked({ from: "x", to: "y", show: true }, NOW)).toEqual({ since: "x", until: "y" });
});

test("what waits now is of every time, what was opened then is of then", () => {
  expect(askedOfHolds({ status: "pending", show: true }, NOW)).toEqual({ status: "pending" });
  expect(askedOfHolds({ status: "pending", from: "x", to: "y" }, NOW)).toEqual({ status: "pending", since: "x", until: "y" });
  expect(askedOfHolds({ status: "expired" }, NOW)).toHaveProperty("since");
});

test("a number that is pressed keeps what the page is narrowed to", () => {
  expect(behind({ agent: "a", period: "7d" }, { status: "rejected" })).toEqual({ to: "/insights", search: { agent: "a", period: "7d", status: "rejected", show: true } });
});
