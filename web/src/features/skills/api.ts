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

export type Registration = Schemas["RegistrationOut"];

/** Proposes the skills of a source, or looks again at the source of one; both are runs. */
export function useRegister() {
  return useBegin((body: Schemas["RegisterSkills"]) => answered(client.POST("/api/skills", { body })));
}

export function useSync(name: string) {
  return useBegin(() => answered(client.POST("/api/skills/{name}/sync", { params: { path: { name } } })));
}

function useBegin<Given>(send: (given: Given) => Promise<Registration>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (begun) => queries.setQueryData(skillKeys.registration(begun.run_id), begun),
  });
}

/** How far a registration has come; kept up to date by its run's events. */
export function registrationQuery(runId: string) {
  return queryOptions({
    queryKey: skillKeys.registration(runId),
    queryFn: () => answered(client.GET("/api/skills/registrations/{run_id}", { params: { path: { run_id: runId } } })),
  });
}

export function useApproveSafe() {
  return useSkillChange(() => answered(client.POST("/api/skills/queue/approve-safe", { body: {} })));
}

export function useDelete(name: string) {
  return useSkillChange(() => client.DELETE("/api/skills/{name}", { params: { path: { name } } }));
}
