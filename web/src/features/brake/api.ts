import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { LiveMap } from "@/lib/live";

export type Brake = Schemas["BrakeOut"];

export const brakesQuery = queryOptions({
  queryKey: ["brakes"],
  queryFn: async () => (await answered(client.GET("/api/brake"))).brakes,
});

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
