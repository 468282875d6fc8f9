import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { ReportSearch } from "@/features/hindsight/search";

export type Finding = Schemas["FatigueSign"];
export type Suggestion = Schemas["SuggestionOut"];
export type Report = Schemas["Report"];

export const fatigueQuery = queryOptions({
  queryKey: ["hindsight", "fatigue"],
  queryFn: ({ signal }) => answered(client.GET("/api/fatigue", { signal })),
});

export const suggestionsQuery = queryOptions({
  queryKey: ["hindsight", "suggestions"],
  queryFn: async ({ signal }) => (await answered(client.GET("/api/suggestions", { signal }))).suggestions,
});

export function suggestionQuery(id: string) {
  return queryOptions({
    queryKey: ["hindsight", "suggestions", id],
    queryFn: ({ signal }) => answered(client.GET("/api/suggestions/{suggestion_id}", { params: { path: { suggestion_id: id } }, signal })),
  });
}

/** Whole days of UTC; the last one is part of it. */
export function periodOf({ from, to }: ReportSearch): { since?: string; until?: string } {
  const day = 86_400_000;
  return {
    ...(from ? { since: `${from}T00:00:00Z` } : {}),
    ...(to ? { until: new Date(Date.parse(`${to}T00:00:00Z`) + day).toISOString() } : {}),
  };
}

export function reportQuery(search: ReportSearch) {
  return queryOptions({
    queryKey: ["hindsight", "report", search],
    queryFn: ({ signal }) => answered(client.GET("/api/report", { params: { query: periodOf(search) }, signal })),
    retry: false,
  });
}
