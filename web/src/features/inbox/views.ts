/** The views of the inbox in words. */
import type { HoldFilters, View } from "@/lib/holds";

/** Those that stand above the list; the others are in its menu. */
export const TABS: readonly (readonly [View, string])[] = [
  ["needs_me", "Needs me"],
  ["waiting", "Waiting on others"],
  ["mine", "Mine"],
  ["done", "Done"],
];
export const FURTHER: readonly (readonly [View, string])[] = [
  ["snoozed", "Snoozed"],
  ["all", "Everything"],
];

export function viewOf(filters: HoldFilters): View {
  return filters.view ?? "needs_me";
}

/** What narrows the view; how it is shown does not. */
export function narrowing({ view, group, ...filters }: HoldFilters): HoldFilters {
  return filters;
}

export function isNarrowed(filters: HoldFilters): boolean {
  return Object.keys(narrowing(filters)).length > 0;
}

const EMPTY: Record<View, [title: string, hint: string]> = {
  needs_me: ["Nothing needs your decision.", "New holds appear here automatically."],
  waiting: ["Nothing waits on others.", "What you approved and still needs someone else appears here."],
  mine: ["You have asked for nothing.", "What you or your runs ask appears here, decided or not."],
  done: ["Nothing has been decided yet.", "Decisions appear here, the newest request first."],
  snoozed: ["Nothing is snoozed.", "Snooze a hold to look at it later. It is back early if anything happens to it."],
  all: ["There are no holds.", "What agents ask appears here, decided or not."],
};

export function emptyWords(filters: HoldFilters): [title: string, hint: string] {
  return isNarrowed(filters) ? ["No matches.", "Change or clear the filters."] : EMPTY[viewOf(filters)];
}
