/** A person's saved views of the inbox. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";

const KEY = ["saved-views"] as const;

export const savedViewsQuery = queryOptions({
  queryKey: KEY,
  queryFn: async () => (await answered(client.GET("/api/me/views"))).views,
});

export function useSaveView() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["SaveView"]) => answered(client.POST("/api/me/views", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useRemoveView() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (view_id: string) => answered(client.DELETE("/api/me/views/{view_id}", { params: { path: { view_id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
