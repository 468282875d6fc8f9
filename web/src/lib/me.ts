/** Who is signed in. */
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { answered, client, rememberCsrf, type Schemas } from "@/lib/api";
import { readDatesAs } from "@/lib/locale";

export type Me = Schemas["Me"];

/** With what everything else needs of a person: however they came in, their requests and their dates are theirs. */
export function remembered(me: Me): Me {
  rememberCsrf(me.csrf_token);
  readDatesAs(me.dates);
  return me;
}

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async () => remembered(await answered(client.GET("/api/me"))),
  staleTime: Number.POSITIVE_INFINITY,
  retry: (failures, error) => failures < 5 && (error as { status?: number }).status !== 401,
});

/** For pages behind the sign-in, where it is always known. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

export function administers(me: Me): boolean {
  return me.scopes.includes("administer");
}

export function readsAll(me: Me): boolean {
  return me.roles.includes("auditor") || me.roles.includes("administrator");
}
