import { expect, test } from "vitest";
import { claimsOf } from "@/features/hold/claims";

const FACT = { name: "refused_before", value: "2", source: "Handrail's own count" };

test("what the server knows is no claim; what contradicts it stays one", () => {
  expect(claimsOf({ task: { refused_before: 2, cost: 1 }, facts: [FACT] })).toEqual({ cost: 1 });
  expect(claimsOf({ task: { refused_before: 0 }, facts: [FACT] })).toEqual({ refused_before: 0 });
  expect(claimsOf({ task: { refused_before: 2 }, facts: [] })).toEqual({ refused_before: 2 });
  expect(claimsOf({ task: null, facts: [FACT] })).toEqual({});
});
