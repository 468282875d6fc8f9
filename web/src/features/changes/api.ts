import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { changeKeys, fetchChange, type ChangeFilters } from "@/lib/code-changes";

const PAGE = 100;

export function changesQuery(filters: ChangeFilters) {
  return infiniteQueryOptions({
    queryKey: changeKeys.list(filters),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) };
      return answered(client.GET("/api/changes", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (previous) => previous,
  });
}

export function changeQuery(id: string) {
  return queryOptions({ queryKey: changeKeys.one(id), queryFn: () => fetchChange(id) });
}

export const repositoriesQuery = queryOptions({
  queryKey: changeKeys.repositories,
  queryFn: () => answered(client.GET("/api/changes/repositories")),
  refetchOnMount: "always",
});

/** The key makes a second press the same change. */
export function useStart() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["StartChange"]; key: string }) =>
      answered(client.POST("/api/changes", { body, params: { header: { "idempotency-key": key } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: changeKeys.lists }),
  });
}

export function useCancel(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason: string | null) =>
      answered(client.POST("/api/changes/{change_id}/cancel", { params: { path: { change_id: id } }, body: { reason } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: changeKeys.one(id) }),
  });
}
