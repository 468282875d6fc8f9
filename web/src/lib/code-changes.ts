/** Code changes, which are runs, as a resource: types, query keys, and which events change them. */
import { answered, client, type Schemas } from "@/lib/api";
import type { Entry } from "@/lib/events";
import type { LiveMap } from "@/lib/live";
import type { RunStatus } from "@/lib/runs";

export type CodeChange = Schemas["ChangeOut"];
export type CodeChangeDetail = Schemas["ChangeDetail"];

/** What the list is narrowed to; also the search part of its address. */
export interface ChangeFilters {
  status?: RunStatus;
  repo_url?: string;
  mine?: boolean;
}

export const changeKeys = {
  lists: ["changes", "list"] as const,
  list: (filters: ChangeFilters) => ["changes", "list", filters] as const,
  repositories: ["changes", "repositories"] as const,
  one: (id: string) => ["changes", "one", id] as const,
};

export function fetchChange(id: string): Promise<CodeChangeDetail> {
  return answered(client.GET("/api/changes/{change_id}", { params: { path: { change_id: id } } }));
}

// each test and each edit is told by the change's own stream
const TOLD = new Set([
  "change.stage_began",
  "change.committed",
  "change.published",
  "change.answered",
  "hold.opened",
  "hold.reopened",
  "hold.decided",
  "run.started",
  "run.paused",
  "run.resumed",
  "run.completed",
  "run.failed",
  "run.cancelled",
  "run.expired",
  "run.retried",
]);

const live: LiveMap[string] = (entries: Entry[], queries) => {
  const ids = new Set(entries.flatMap((entry) => (entry.run_id && TOLD.has(entry.type) ? [entry.run_id] : [])));
  if (ids.size === 0) return;
  void queries.invalidateQueries({ queryKey: changeKeys.lists });
  for (const id of ids) void queries.invalidateQueries({ queryKey: changeKeys.one(id) });
};

export const changesLive: LiveMap = { "change.": live, "hold.": live, "run.": live };
