/** What a person says about a hold; the server answers with the hold as it is then, and every list follows. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, problemFrom, type Schemas } from "@/lib/api";
import { applyHold, recount, type Hold } from "@/lib/holds";

export type Review = Schemas["ReviewHold"];

export function useHoldMutation<T>(send: (given: T) => Promise<Hold>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (hold) => {
      applyHold(queries, hold);
      recount(queries);
    },
    onError: () => void queries.invalidateQueries({ queryKey: ["holds", "one"] }),
  });
}

export function useReview(id: string) {
  const path = { hold_id: id };
  return useHoldMutation((body: Review) => reviewed(path, body));
}

/** The review, with the person's own signature where the server asks for one. */
async function reviewed(path: { hold_id: string }, body: Review): Promise<Hold> {
  const send = (said: Review) => answered(client.POST("/api/holds/{hold_id}/reviews", { params: { path }, body: said }));
  try {
    return await send(body);
  } catch (error) {
    if (problemFrom(error).code !== "passkey_required") throw error;
  }
  const { sign } = await import("@/lib/passkeys");
  const { verdict, digest, on_behalf_of = null } = body;
  const options = await answered(client.POST("/api/holds/{hold_id}/passkey-options", { params: { path }, body: { verdict, digest, on_behalf_of } }));
  return await send({ ...body, passkey: await sign(options) });
}

/** Takes the request itself back. */
export function useCancelHold(id: string) {
  const path = { hold_id: id };
  return useHoldMutation((reason: string | null) =>
    answered(client.POST("/api/holds/{hold_id}/cancel", { params: { path }, body: { reason } })),
  );
}
