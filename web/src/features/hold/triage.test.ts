import { expect, test } from "vitest";
import { snoozes } from "@/features/hold/triage";

// a Friday
const NOW = new Date(2026, 10, 20, 15, 30).getTime();
const times = (expires: string | null) => snoozes(NOW, expires).map(([until]) => new Date(until).getTime() - NOW);
const HOUR = 3_600_000;

test("a snooze ends in some hours, tomorrow morning, or on Monday", () => {
  expect(times(null)).toEqual([HOUR, 4 * HOUR, 16.5 * HOUR, (2 * 24 + 16.5) * HOUR]);
});

test("none reaches past the deadline", () => {
  expect(times(new Date(NOW + 2 * HOUR).toISOString())).toEqual([HOUR]);
  expect(times(new Date(NOW + HOUR / 2).toISOString())).toEqual([]);
});

test("from a Monday on, Monday is the next one", () => {
  const monday = new Date(2026, 10, 16, 9).getTime();
  const last = snoozes(monday, null).at(-1)?.[0] ?? "";
  expect(new Date(last).getTime() - monday).toBe((7 * 24 - 1) * HOUR);
});
