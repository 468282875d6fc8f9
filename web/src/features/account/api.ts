import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, rememberCsrf, type Schemas } from "@/lib/api";
import { meQuery } from "@/lib/me";

export type SignIn = Schemas["SignInOut"];

export const signInsQuery = queryOptions({
  queryKey: ["sign-ins"],
  queryFn: async () => (await answered(client.GET("/api/me/sign-ins"))).sign_ins,
});

export function useSetPassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["SetPassword"]) => answered(client.POST("/api/me/password", { body })),
    onSuccess: async (me) => {
      rememberCsrf(me.csrf_token);
      queries.setQueryData(meQuery.queryKey, me);
      // what one may decide may be more now
      await queries.invalidateQueries();
    },
  });
}

/** Ends one session by its id; without one, all but this one. */
export function useEndSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string | null) => {
      if (id === null) await client.POST("/api/me/sign-ins/end-others");
      else await client.DELETE("/api/me/sign-ins/{sign_in_id}", { params: { path: { sign_in_id: id } } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: signInsQuery.queryKey }),
  });
}
