import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { applyRun, fetchRun, runKeys, type RunFilters } from "@/lib/runs";

export type Budget = Schemas["BudgetIn"];

const PAGE = 100;

export function runsQuery(filters: RunFilters) {
  return infiniteQueryOptions({
    queryKey: runKeys.list(filters),
    queryFn: ({ pageParam, signal }) => {
      const { from: _, ...narrowed } = filters;
      const query = { ...narrowed, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) };
      return answered(client.GET("/api/runs", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (previous) => previous,
  });
}

export function runQuery(id: string) {
  return queryOptions({ queryKey: runKeys.one(id), queryFn: () => fetchRun(id) });
}

/** The key makes a second press the same run. */
export function useStart() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["StartRun"]; key: string }) =>
      answered(client.POST("/api/runs", { body, params: { header: { "idempotency-key": key } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: runKeys.lists }),
  });
}

export function useCancel(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason: string | null) =>
      answered(client.POST("/api/runs/{run_id}/cancel", { params: { path: { run_id: id } }, body: { reason } })),
    onSuccess: async () => applyRun(queries, await fetchRun(id)),
  });
}

export function useRetry(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (budget: Budget | null) =>
      answered(client.POST("/api/runs/{run_id}/retry", { params: { path: { run_id: id } }, body: { budget } })),
    onSuccess: async () => applyRun(queries, await fetchRun(id)),
  });
}
