import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { LiveMap } from "@/lib/live";

export type Grant = Schemas["GrantOut"];

export function grantsQuery(ended: boolean) {
  return queryOptions({
    queryKey: ["grants", ended],
    queryFn: async () => (await answered(client.GET("/api/grants", { params: { query: { ended } } }))).grants,
  });
}

export function useRevoke() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) => answered(client.POST("/api/grants/{hold_id}/revoke", { params: { path: { hold_id: id } }, body: { reason } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["grants"] }),
  });
}

export const grantsLive: LiveMap = {
  "grant.": (_entries, queries) => queries.invalidateQueries({ queryKey: ["grants"] }),
};
