import { expect, test } from "vitest";
import { total } from "@/lib/counts";

const of = (count: number, capped = false) => ({ count, capped, text: "" });

test("counts of all levels are added up", () => {
  expect(total({ critical: of(1), high: of(11), medium: of(0) })).toEqual({ count: 12, text: "12" });
});

test("a count that stopped early says so", () => {
  expect(total({ high: of(10_000, true), medium: of(5) }).text).toBe("10,005+");
});
