import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { fetchSession, sessionKeys, type SessionFilters } from "@/lib/sessions";

const PAGE = 100;

export function sessionsQuery(filters: SessionFilters) {
  return infiniteQueryOptions({
    queryKey: sessionKeys.list(filters),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) };
      return answered(client.GET("/api/execution/sessions", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (previous) => previous,
  });
}

export function sessionQuery(id: string) {
  return queryOptions({ queryKey: sessionKeys.one(id), queryFn: () => fetchSession(id) });
}

/** Under the session's own key: what brings that up to date brings these too. */
export function filesQuery(id: string) {
  return queryOptions({
    queryKey: [...sessionKeys.one(id), "files"],
    queryFn: async () =>
      (await answered(client.GET("/api/execution/sessions/{session_id}/files", { params: { path: { session_id: id } } }))).files,
  });
}

/** The key makes a second press the same session. */
export function useStart() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["StartSession"]; key: string }) =>
      answered(client.POST("/api/execution/start", { body, params: { header: { "idempotency-key": key } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionKeys.lists }),
  });
}

export function useCancel(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason: string | null) =>
      answered(client.POST("/api/execution/sessions/{session_id}/cancel", { params: { path: { session_id: id } }, body: { reason } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["sessions"] }),
  });
}
