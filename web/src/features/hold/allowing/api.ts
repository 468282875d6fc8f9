import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";

export type Preview = Schemas["GrantPreview"];
export type Bounds = Schemas["GrantBounds"];

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
