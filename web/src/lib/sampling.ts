/** What ran unasked and is looked at afterwards, as a resource. (`lib/samples.ts` has holds for tests.) */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { LiveMap } from "@/lib/live";

export type Sampling = Schemas["SampleList"];
export type Sample = Schemas["SampleOut"];

const KEY = ["samples"] as const;

export const samplesQuery = queryOptions({
  queryKey: [...KEY, "list"],
  queryFn: ({ signal }) => answered(client.GET("/api/samples", { signal })),
});

/** A rule that findings propose, with its replay. */
export function proposedRuleQuery(id: string) {
  return queryOptions({
    queryKey: [...KEY, "rule", id],
    queryFn: ({ signal }) => answered(client.GET("/api/samples/rules/{rule_id}", { params: { path: { rule_id: id } }, signal })),
    retry: false,
  });
}

export function useLook() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ holdId, ...body }: { holdId: string; finding: boolean; reason: string | null }) =>
      answered(client.POST("/api/holds/{hold_id}/sample", { params: { path: { hold_id: holdId } }, body })),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

const refetch: LiveMap[string] = (_entries, queries) => queries.invalidateQueries({ queryKey: KEY });

export const samplesLive: LiveMap = { "hold.sampled": refetch, "hold.redeemed": refetch, "policy.": refetch };
