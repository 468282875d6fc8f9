/** Tokens as a resource: one's own, or everybody's for administrators. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { LiveMap } from "@/lib/live";

export type Token = Schemas["TokenOut"];

const ALL = ["tokens"] as const;
const MOST = 500;

export function tokensQuery(whose: "mine" | "all") {
  return queryOptions({
    queryKey: [...ALL, whose],
    queryFn: async () => (await answered(client.GET("/api/tokens", { params: { query: { limit: MOST, mine: whose === "mine" } } }))).tokens,
  });
}

export function useMakeToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["MakeToken"]) => answered(client.POST("/api/tokens", { body })),
    onSettled: () => queries.invalidateQueries({ queryKey: ALL }),
  });
}

export function useRevokeToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => {
      await client.DELETE("/api/tokens/{token_id}", { params: { path: { token_id: id } } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ALL }),
  });
}

/** Whether it still works. */
export function isLive(token: Token, now: number): boolean {
  return token.revoked_at === null && (token.expires_at === null || Date.parse(token.expires_at) > now);
}

export const tokensLive: LiveMap = {
  "session.": (_entries, queries) => queries.invalidateQueries({ queryKey: ["sign-ins"] }),
  "token.": (_entries, queries) => queries.invalidateQueries({ queryKey: ALL }),
};
