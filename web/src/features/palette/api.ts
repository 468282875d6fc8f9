import { queryOptions } from "@tanstack/react-query";
import { answered, client } from "@/lib/api";
import { fetchRun } from "@/lib/runs";

const MOST = 6;

export function holdsFound(text: string) {
  return queryOptions({
    queryKey: ["palette", "holds", text],
    queryFn: async ({ signal }) => (await answered(client.GET("/api/holds/rows", { params: { query: { text, status: "all", limit: MOST } }, signal }))).rows,
    staleTime: 5_000,
  });
}

export function runFound(text: string) {
  return queryOptions({ queryKey: ["palette", "run", text], queryFn: () => fetchRun(text), retry: false, staleTime: 5_000 });
}

/** For administrators. */
export const peopleFound = queryOptions({
  queryKey: ["palette", "people"],
  queryFn: async () => (await answered(client.GET("/api/people", { params: { query: { limit: 500 } } }))).people,
  staleTime: 60_000,
});
