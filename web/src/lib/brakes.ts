import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { HoldRow } from "@/lib/holds";
import type { LiveMap } from "@/lib/live";

export type Brake = Schemas["BrakeOut"];

export const brakesQuery = queryOptions({
  queryKey: ["brakes"],
  queryFn: async () => (await answered(client.GET("/api/brake"))).brakes,
});

/** The brake that stops what this hold is about: until it is lifted nothing can be approved, only rejected. */
export function useStopping(hold: Pick<HoldRow, "opened_by" | "started_by">): Brake | null {
  const brakes = useQuery(brakesQuery).data ?? [];
  return brakes.find((one) => one.agent === null || one.agent.id === hold.opened_by.id || one.agent.id === hold.started_by?.id) ?? null;
}

export function useSetBrake() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["SetBrake"]) => answered(client.POST("/api/brake", { body })),
    onSettled: () => queries.invalidateQueries({ queryKey: brakesQuery.queryKey }),
  });
}

export function useLiftBrake() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["LiftBrake"]) => answered(client.POST("/api/brake/lift", { body })),
    onSettled: () => queries.invalidateQueries({ queryKey: brakesQuery.queryKey }),
  });
}

export const brakeLive: LiveMap = {
  "brake.": (_entries, queries) => queries.invalidateQueries({ queryKey: brakesQuery.queryKey }),
};
