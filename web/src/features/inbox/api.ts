import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { applyHold, fetchHold, holdKeys, type HoldFilters } from "@/lib/holds";

// enough for two screens: the next page is asked for long before its rows are needed
const PAGE = 100;

export function holdsQuery(filters: HoldFilters) {
  return infiniteQueryOptions({
    queryKey: holdKeys.list(filters),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) };
      return answered(client.GET("/api/holds", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (previous) => previous,
  });
}

export type BulkResult = Schemas["BulkResult"];

/** The same verdict on exactly the holds named, each at the digest that was seen. */
export function useBulkReview() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["BulkReview"]) => answered(client.POST("/api/holds/reviews", { body })),
    onSuccess: async (result) => {
      const changed = await Promise.allSettled(result.results.map((one) => fetchHold(one.id)));
      for (const one of changed) if (one.status === "fulfilled") applyHold(queries, one.value);
      await queries.invalidateQueries({ queryKey: holdKeys.counts });
    },
  });
}
