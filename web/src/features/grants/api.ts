import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { LiveMap } from "@/lib/live";

export type Grant = Schemas["GrantOut"];
export type Preview = Schemas["GrantPreview"];
export type Bounds = Schemas["GrantBounds"];

export function grantsQuery(ended: boolean) {
  return queryOptions({
    queryKey: ["grants", ended],
    queryFn: async () => (await answered(client.GET("/api/grants", { params: { query: { ended } } }))).grants,
  });
}

/** What a grant of these bounds would say and would have covered; without any, the one that is proposed. */
export function previewQuery(holdId: string, body: Bounds) {
  return queryOptions({
    queryKey: ["grant-preview", holdId, body],
    queryFn: () => answered(client.POST("/api/holds/{hold_id}/grant/preview", { params: { path: { hold_id: holdId } }, body })),
    staleTime: 30_000,
    retry: false,
  });
}

export function usePropose(holdId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ProposeGrant"]) => answered(client.POST("/api/holds/{hold_id}/grant", { params: { path: { hold_id: holdId } }, body })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["grants"] }),
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
