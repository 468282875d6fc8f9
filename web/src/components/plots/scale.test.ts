import { expect, test } from "vitest";
import { counting, lasting, thinned } from "@/components/plots/scale";

test("counts begin at zero, end at or above the largest, and their marks are whole numbers", () => {
  for (const largest of [0, 1, 3, 7, 12, 99, 100, 1234, 98_765]) {
    const { ticks, place } = counting(largest);
    expect(ticks[0]?.value).toBe(0);
    expect(ticks.at(-1)?.value).toBeGreaterThanOrEqual(largest);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks.every((tick) => Number.isInteger(tick.value))).toBe(true);
    expect(place(0)).toBe(0);
    expect(place(largest)).toBeLessThanOrEqual(1);
  }
});

test("a second, a minute and a day have places that one can tell apart", () => {
  const { place, ticks } = lasting([1, 60, 86_400]);
  const [second = 0, minute = 0, day = 0] = [1, 60, 86_400].map(place);
  expect(second).toBe(0);
  expect(minute - second).toBeGreaterThan(0.2);
  expect(day - minute).toBeGreaterThan(0.2);
  expect(day).toBeLessThanOrEqual(1);
  expect(ticks.map((tick) => tick.label)).toContain("1 min");
});

test("nothing at all, and a single value, have a scale too", () => {
  for (const values of [[], [0], [5], [40 * 86_400], [900 * 86_400]]) {
    const { place, ticks } = lasting(values);
    expect(ticks.length).toBeGreaterThanOrEqual(1);
    for (const value of values) expect(place(value)).toBeGreaterThanOrEqual(0);
    for (const value of values) expect(place(value)).toBeLessThanOrEqual(1);
  }
});

test("labels that there is no room for are left out evenly", () => {
  expect(thinned(30, 10)).toBe(3);
  expect(thinned(5, 10)).toBe(1);
  expect(thinned(5, 0)).toBe(5);
});
