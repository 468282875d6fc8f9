/** The views of the inbox. */
import { TEXTS } from "@/features/inbox/texts";
import type { HoldFilters, View } from "@/lib/holds";

/** Those that stand above the list; the others are in its menu. */
export const TABS: readonly View[] = ["needs_me", "waiting", "mine", "done"];
export const FURTHER: readonly View[] = ["snoozed", "all"];

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

export function emptyWords(filters: HoldFilters): readonly [title: string, hint: string] {
  return isNarrowed(filters) ? TEXTS.noMatches : TEXTS.empty[viewOf(filters)];
}
