import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { asked, fetchRows, holdKeys, recount, refreshRows, type Hold, type HoldFilters } from "@/lib/holds";

// enough for two screens: the next page is asked for long before its rows are needed
const PAGE = 100;

export function holdsQuery(filters: HoldFilters) {
  return infiniteQueryOptions({
    queryKey: holdKeys.list(filters),
    queryFn: ({ pageParam, signal }) => {
      return fetchRows({ ...asked(filters), limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) }, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (previous) => previous,
  });
}

// as many as an answer carries
const MOST = 200;

async function fetchWhole(ids: string[]): Promise<Hold[]> {
  if (ids.length === 0) return [];
  const some = ids.slice(0, MOST);
  const query = { status: "all" as const, ids: some.join(","), limit: some.length };
  const { holds } = await answered(client.GET("/api/holds", { params: { query } }));
  return [...holds, ...(await fetchWhole(ids.slice(MOST)))];
}

/** These holds whole, in the order given: what a decision on several is made by. */
export function wholeQuery(ids: string[]) {
  return queryOptions({
    queryKey: [...holdKeys.all, "whole", ids] as const,
    queryFn: async (): Promise<Hold[]> => {
      const holds = await fetchWhole(ids);
      return ids.flatMap((id) => holds.find((one) => one.id === id) ?? []);
    },
    // what was shown must not change under the hand: the server compares digests
    staleTime: "static",
    gcTime: 0,
  });
}

export type BulkResult = Schemas["BulkResult"];

/** The same verdict on exactly the holds named, each at the digest that was seen. */
export function useBulkReview() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["BulkReview"]) => answered(client.POST("/api/holds/reviews", { body })),
    onSuccess: async (result) => {
      await refreshRows(result.results.map((one) => one.id), queries);
      void queries.invalidateQueries({ queryKey: [...holdKeys.all, "one"] });
      recount(queries);
    },
  });
}
