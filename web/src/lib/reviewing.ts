/** What a person says about a hold; the server answers with the hold as it is then, and every list follows. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { applyHold, holdKeys, type Hold } from "@/lib/holds";

export type Review = Schemas["ReviewHold"];

export function useHoldMutation<T>(send: (given: T) => Promise<Hold>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (hold) => {
      applyHold(queries, hold);
      void queries.invalidateQueries({ queryKey: holdKeys.counts });
    },
    onError: () => void queries.invalidateQueries({ queryKey: ["holds", "one"] }),
  });
}

export function useReview(id: string) {
  const path = { hold_id: id };
  return useHoldMutation((body: Review) => answered(client.POST("/api/holds/{hold_id}/reviews", { params: { path }, body })));
}

/** Takes the request itself back. */
export function useCancelHold(id: string) {
  const path = { hold_id: id };
  return useHoldMutation((reason: string | null) =>
    answered(client.POST("/api/holds/{hold_id}/cancel", { params: { path }, body: { reason } })),
  );
}
