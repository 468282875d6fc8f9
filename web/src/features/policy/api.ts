import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { LiveMap } from "@/lib/live";

export type Policy = Schemas["PolicyOut"];
export type Assessment = Schemas["AssessmentOut"];

export const policyKeys = { all: ["policy"] as const };

export const policyQuery = queryOptions({
  queryKey: ["policy", "in force"],
  queryFn: () => answered(client.GET("/api/policy")),
});

export const historyQuery = queryOptions({
  queryKey: ["policy", "history"],
  queryFn: async () => (await answered(client.GET("/api/policy/versions"))).versions,
});

export function versionQuery(version: number) {
  return queryOptions({
    queryKey: ["policy", "version", version],
    queryFn: () => answered(client.GET("/api/policy/versions/{version}", { params: { path: { version } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useAssess() {
  return useMutation({
    mutationFn: (body: Schemas["AssessAction"]) => answered(client.POST("/api/policy/assess", { body })),
  });
}

/** What would come of a candidate, given as it is sent. */
export function checkQuery(body: string) {
  return queryOptions({
    queryKey: ["policy", "check", body],
    queryFn: ({ signal }) => answered(client.POST("/api/policy/check", { body: JSON.parse(body) as Schemas["PolicyFiles"], signal })),
    placeholderData: (previous) => previous,
    gcTime: 0,
    retry: false,
  });
}

export function useApply() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ApplyPolicy"]) => answered(client.POST("/api/policy", { body })),
    onSettled: () => queries.invalidateQueries({ queryKey: policyKeys.all }),
  });
}

export const policyLive: LiveMap = {
  "policy.": (_entries, queries) => queries.invalidateQueries({ queryKey: policyKeys.all }),
};
