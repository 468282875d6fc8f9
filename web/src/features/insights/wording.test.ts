import { expect, test } from "vitest";
import { carriers } from "@/features/insights/wording";
import { mostRejected, type NamedOutcomes } from "@/lib/insights";

function row(label: string, total: number, rejected: number, unasked = 0): NamedOutcomes {
  return { id: label, label, total, unasked, rejected, pending: 0, approved: total - rejected - unasked, answered: 0, expired: 0, cancelled: 0, p50: null };
}

test("what is rejected most often has been asked often enough to say so", () => {
  expect(mostRejected([row("once", 1, 1), row("often", 10, 4), row("seldom", 10, 1)])).toBe("often");
  expect(mostRejected([row("unasked", 10, 0, 10), row("liked", 5, 0)])).toBeNull();
});

test("the fewest who carry half of the load are named", () => {
  const person = (name: string, reviews: number) => ({ person: { id: name, name, kind: "person" as const }, reviews, holds: reviews, withdrawn: 0, p50: null });
  expect(carriers([person("Ann", 10), person("Bob", 80), person("Cyd", 10)])).toEqual(["Bob"]);
  expect(carriers([person("Ann", 40), person("Bob", 30), person("Cyd", 30)])).toEqual(["Ann", "Bob"]);
  expect(carriers([])).toEqual([]);
});
