/** Who is signed in. */
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { answered, client, rememberCsrf, type Schemas } from "@/lib/api";
import { readDatesAs } from "@/lib/locale";

export type Me = Schemas["Me"];

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async () => {
    const me = await answered(client.GET("/api/me"));
    rememberCsrf(me.csrf_token);
    readDatesAs(me.dates);
    return me;
  },
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
