import { expect, test } from "vitest";
import { asCase, draftOf, EMPTY_CASE, sendable, type PolicyCase } from "@/features/policy/cases";

const CASE: PolicyCase = { name: "delete", action: { name: "delete", args: { table: "orders" }, target: "production" }, task: { operation: "delete" }, level: "critical", asks: true };

test("a case that is edited in nothing stays what it was", () => {
  expect(asCase(draftOf(CASE))).toEqual(CASE);
  const bare: PolicyCase = { ...CASE, action: { name: "look", args: {}, target: null }, task: null, asks: null };
  expect(asCase(draftOf(bare))).toEqual(bare);
});

test("a case without a name is called by its action", () => {
  expect(asCase({ ...EMPTY_CASE, action: " deploy " })?.name).toBe("deploy");
});

test("nothing is sent while a line is not finished", () => {
  const draft = draftOf(CASE);
  expect(sendable([draft])).toEqual([CASE]);
  expect(sendable([draft, EMPTY_CASE])).toBeNull();
  for (const args of ["{", "[]", "3", "null"]) expect(sendable([{ ...draft, args }])).toBeNull();
  expect(sendable([])).toEqual([]);
});
