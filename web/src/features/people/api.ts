import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { LiveMap } from "@/lib/live";

export type Person = Schemas["PrincipalOut"];

const MOST = 500;

export const peopleQuery = queryOptions({
  queryKey: ["people"],
  queryFn: async () => (await answered(client.GET("/api/people", { params: { query: { limit: MOST } } }))).people,
});

function useChange<Given, Answer>(key: string, send: (given: Given) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: send, onSettled: () => queries.invalidateQueries({ queryKey: [key] }) });
}

export function useAddPerson() {
  return useChange("people", (body: Schemas["AddPrincipal"]) => answered(client.POST("/api/people", { body })));
}

export function useChangePerson() {
  return useChange("people", ({ id, ...body }: Schemas["ChangePrincipal"] & { id: string }) =>
    answered(client.PATCH("/api/people/{principal_id}", { params: { path: { principal_id: id } }, body })),
  );
}

export function useLoginLink() {
  return useMutation({
    mutationFn: (id: string) =>
      answered(client.POST("/api/people/{principal_id}/login-link", { params: { path: { principal_id: id } } })),
  });
}

export type Observed = Schemas["ObservationOut"];

export const observedQuery = queryOptions({
  queryKey: ["observed"],
  queryFn: async () => (await answered(client.GET("/api/observations"))).observed,
});

export function useObserve() {
  return useChange("observed", (body: Schemas["ChangeObservation"]) => answered(client.POST("/api/observations", { body })));
}

export function useEnforce() {
  return useChange("observed", (body: Schemas["ChangeObservation"]) => answered(client.POST("/api/observations/end", { body })));
}

export const peopleLive: LiveMap = {
  "agent.": (_entries, queries) => queries.invalidateQueries({ queryKey: ["observed"] }),
  "person.": (_entries, queries) => queries.invalidateQueries({ queryKey: ["people"] }),
};

export const rolesQuery = queryOptions({
  queryKey: ["roles"],
  queryFn: async () => (await answered(client.GET("/api/roles"))).roles,
});
