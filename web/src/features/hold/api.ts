import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client } from "@/lib/api";
import { holdKeys } from "@/lib/holds";

export function commentsQuery(id: string) {
  return queryOptions({
    queryKey: holdKeys.comments(id),
    queryFn: async () =>
      (await answered(client.GET("/api/holds/{hold_id}/comments", { params: { path: { hold_id: id } } }))).comments,
  });
}

export function deliveriesQuery(id: string) {
  return queryOptions({
    // with the events: a notice is sent where one of them happens
    queryKey: [...holdKeys.events(id), "deliveries"] as const,
    queryFn: async () => (await answered(client.GET("/api/holds/{hold_id}/deliveries", { params: { path: { hold_id: id } } }))).deliveries,
  });
}

export function useComment(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (text: string) =>
      answered(client.POST("/api/holds/{hold_id}/comments", { params: { path: { hold_id: id } }, body: { text } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: holdKeys.comments(id) }),
  });
}
