import { expect, test } from "vitest";
import { readInboxSearch } from "@/lib/inbox-search";

test("what the address says is taken where it means something", () => {
  expect(readInboxSearch({ risk: "high", text: 77, mine: true, status: "all" })).toEqual({ risk: "high", text: "77", mine: true, status: "all" });
});

test("the rest is left out, so that one list has one address", () => {
  expect(readInboxSearch({ risk: "huge", kind: "", status: "pending", mine: "yes", other: 1 })).toEqual({});
});
