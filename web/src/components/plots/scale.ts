/** From values to places: numbers in even steps, lengths of time by their order of magnitude. */
import { span } from "@/lib/format";

export interface Tick {
  value: number;
  label: string;
}

export interface Scale {
  /** Between 0 and 1. */
  place: (value: number) => number;
  ticks: Tick[];
}

const STEPS = [1, 2, 5, 10];

/** Whole numbers from zero to at least the largest, in three to six steps. */
export function counting(largest: number): Scale {
  const rough = Math.max(1, largest) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (STEPS.find((one) => one * power >= rough) ?? 10) * power);
  const end = Math.max(1, Math.ceil(largest / step)) * step;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
  return { place: (value) => value / end, ticks: ticks.map((value) => ({ value, label: value.toLocaleString("en") })) };
}

// seconds that people think in
const MARKS = [1, 10, 60, 600, 3_600, 6 * 3_600, 86_400, 3 * 86_400, 7 * 86_400, 30 * 86_400, 365 * 86_400];

/** Seconds, each mark of the clock as far from the next as their ratio is large: a second and a day on one page. */
export function lasting(values: readonly number[]): Scale {
  const known = values.filter((value) => value > 0);
  const low = MARKS.findLast((mark) => mark <= Math.min(...known, 60)) ?? 1;
  const high = MARKS.find((mark) => mark >= Math.max(...known, 60) && mark > low) ?? Math.max(...known);
  const [from, to] = [Math.log(low), Math.log(high)];
  const place = (value: number) => Math.min(1, Math.max(0, (Math.log(Math.max(value, low)) - from) / (to - from)));
  return { place, ticks: MARKS.filter((mark) => mark >= low && mark <= high).map((value) => ({ value, label: span(value * 1000) })) };
}

/** Which of so many labels there is room for: every first, second, third… */
export function thinned(count: number, room: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, room)));
}
