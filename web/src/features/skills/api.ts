import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { skillKeys } from "@/lib/skills";

export type Candidate = Schemas["RegisteredOut"];

/** As it is in force, or one of its versions. */
export function skillQuery(name: string, version: number | null) {
  return queryOptions({
    queryKey: skillKeys.one(name, version),
    queryFn: () =>
      version === null
        ? answered(client.GET("/api/skills/{name}", { params: { path: { name } } }))
        : answered(client.GET("/api/skills/{name}/versions/{number}", { params: { path: { name, number: version } } })),
  });
}

export function versionsQuery(name: string) {
  return queryOptions({
    queryKey: skillKeys.versions(name),
    queryFn: async () => (await answered(client.GET("/api/skills/{name}/versions", { params: { path: { name } } }))).skills,
  });
}

export function fileQuery(name: string, version: number, path: string) {
  return queryOptions({
    queryKey: [...skillKeys.one(name, version), "file", path],
    queryFn: () =>
      answered(
        client.GET("/api/skills/{name}/versions/{number}/file", {
          params: { path: { name, number: version }, query: { path } },
          parseAs: "text",
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const queueQuery = queryOptions({
  queryKey: skillKeys.queue,
  queryFn: async () => (await answered(client.GET("/api/skills/queue"))).candidates,
});

function useSkillChange<Given, Answer>(send: (given: Given) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: send, onSuccess: () => queries.invalidateQueries({ queryKey: skillKeys.all }) });
}

export function useRegister() {
  return useSkillChange(async (body: Schemas["RegisterSkills"]) => (await answered(client.POST("/api/skills", { body }))).candidates);
}

export function useApproveSafe() {
  return useSkillChange(() => answered(client.POST("/api/skills/queue/approve-safe", { body: {} })));
}

export function useSync(name: string) {
  return useSkillChange(() => answered(client.POST("/api/skills/{name}/sync", { params: { path: { name } } })));
}

export function useDelete(name: string) {
  return useSkillChange(() => client.DELETE("/api/skills/{name}", { params: { path: { name } } }));
}
