/** Skills as a resource: types, query keys, and which events change them. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { LiveMap } from "@/lib/live";
import { TEXTS } from "@/lib/texts";

const WORDS = TEXTS.skills;

export type Skill = Schemas["SkillOut"];
export type SkillDetail = Schemas["SkillDetail"];

const ALL = ["skills"] as const;

export const skillKeys = {
  all: ALL,
  list: [...ALL, "list"] as const,
  queue: [...ALL, "queue"] as const,
  search: (text: string) => [...ALL, "search", text] as const,
  one: (name: string, version: number | null) => [...ALL, "one", name, version] as const,
  versions: (name: string) => [...ALL, "versions", name] as const,
  registration: (runId: string) => [...ALL, "registration", runId] as const,
};

export const skillsQuery = queryOptions({
  queryKey: skillKeys.list,
  queryFn: async () => (await answered(client.GET("/api/skills"))).skills,
});

function foundQuery(text: string) {
  return queryOptions({
    queryKey: skillKeys.search(text),
    queryFn: async () => (await answered(client.GET("/api/skills/search", { params: { query: { q: text, limit: 20 } } }))).matches,
    enabled: text !== "",
    placeholderData: (previous) => previous,
  });
}

export interface Found {
  name: string;
  description: string;
  note: string;
}

/** Those that do what is described, the best first; all of them where nothing is. */
export function useFound(text: string): { data: Found[] | undefined; error: Error | null } {
  const all = useQuery(skillsQuery);
  const found = useQuery(foundQuery(text));
  if (text === "") return { data: all.data?.map((one) => ({ ...one, note: WORDS.version(one.version) })), error: all.error };
  return { data: found.data?.map((one) => ({ ...one, note: `${Math.round(one.score * 100)} % match` })), error: found.error };
}

/** A candidate is a hold: what is decided there changes which skills there are. */
export const skillsLive: LiveMap = {
  "hold.": (entries, queries) => {
    if (entries.some((entry) => entry.kind === "review")) void queries.invalidateQueries({ queryKey: skillKeys.all });
  },
  // how far a registration has come
  "run.": (entries, queries) => {
    for (const id of new Set(entries.flatMap((entry) => entry.run_id ?? []))) {
      if (queries.getQueryState(skillKeys.registration(id))) void queries.invalidateQueries({ queryKey: skillKeys.registration(id) });
    }
  },
  "skill.": (_entries, queries) => queries.invalidateQueries({ queryKey: skillKeys.all }),
};
