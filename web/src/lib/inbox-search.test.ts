import { expect, test } from "vitest";
import { readInboxSearch } from "@/lib/inbox-search";

test("what the address says is taken where it means something", () => {
  const said = { view: "done", status: "approved", risk: "high", text: 77, agent: "deploy-bot", action: "deploy*", within: "7d", group: true };
  expect(readInboxSearch(said)).toEqual({ ...said, text: "77" });
});

test("the rest is left out, so that one list has one address", () => {
  expect(readInboxSearch({ view: "needs_me", risk: "huge", kind: "", status: "pending", mine: "yes", within: "9y", group: "yes", other: 1 })).toEqual({});
});

test.each([
  [{ status: "rejected" }, { view: "done", status: "rejected" }],
  [{ status: "all" }, { view: "all" }],
  [{ mine: true }, { view: "mine" }],
  [{ view: "waiting", status: "approved" }, { view: "waiting" }],
  [{ view: "done", status: "pending" }, { view: "done" }],
  [{ view: "mine", status: "pending" }, { view: "mine", status: "pending" }],
])("%o means %o", (given, means) => {
  expect(readInboxSearch(given)).toEqual(means);
});
