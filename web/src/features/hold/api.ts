import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client } from "@/lib/api";
import { fetchRows, holdKeys, type Hold } from "@/lib/holds";

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

// of so many holds found by the action's name, those of the same action are precedents
const LOOKED_THROUGH = 100;

/** Holds of the same action that people have decided, newest first. */
export function precedentsQuery(hold: Hold) {
  return queryOptions({
    queryKey: holdKeys.precedents(hold.id, hold.action?.name ?? ""),
    // what carries no action has no precedents
    enabled: hold.action !== null,
    queryFn: async () => {
      const query = { status: "all" as const, text: hold.action?.name ?? null, limit: LOOKED_THROUGH };
      const found = (await fetchRows(query)).rows;
      return found.filter((one) => one.id !== hold.id && one.action?.name === hold.action?.name && one.decision?.basis === "people");
    },
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
