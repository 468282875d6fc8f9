import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, rememberCsrf, type Schemas } from "@/lib/api";
import { meQuery, remembered } from "@/lib/me";

export type SignIn = Schemas["SignInOut"];
export type Passkey = Schemas["PasskeyOut"];
export type Absence = Schemas["AbsenceOut"];

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

/** On every device of the person. */
export function useSetDates() {
  const queries = useQueryClient();
  return useMutation({
    // one after another: of what is asked for in haste the last one counts
    scope: { id: "dates" },
    mutationFn: (body: Schemas["DatesBody"]) => answered(client.PUT("/api/me/dates", { body })),
    onSuccess: (me) => queries.setQueryData(meQuery.queryKey, remembered(me)),
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

export const providersQuery = queryOptions({
  queryKey: ["sso-providers"],
  queryFn: () => answered(client.GET("/api/sso/providers")),
  staleTime: Infinity,
});

export const ownCompanyQuery = queryOptions({
  queryKey: ["own-sso"],
  queryFn: () => answered(client.GET("/api/me/sso")),
});

/** The provider's page, which links the account of whoever signs in there. */
export async function linkToCompany(provider: string): Promise<string> {
  return (await answered(client.POST("/api/sso/{provider}/link", { params: { path: { provider } } }))).url;
}

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: async () => (await answered(client.GET("/api/me/passkeys"))).passkeys,
});

export async function removePasskey(id: string): Promise<void> {
  await client.DELETE("/api/me/passkeys/{passkey_id}", { params: { path: { passkey_id: id } } });
}

export const absencesQuery = queryOptions({
  queryKey: ["absences"],
  queryFn: async () => (await answered(client.GET("/api/absences"))).absences,
});

export async function setAbsence(body: Schemas["SetAbsence"]): Promise<Absence> {
  return await answered(client.POST("/api/absences", { body }));
}

export async function endAbsence(id: string): Promise<Absence> {
  return await answered(client.POST("/api/absences/{absence_id}/end", { params: { path: { absence_id: id } }, body: {} }));
}
