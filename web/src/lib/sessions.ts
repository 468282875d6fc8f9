/** Sessions, which are runs of skills, as a resource: types, query keys, and which events change them. */
import { answered, client, type Schemas } from "@/lib/api";
import type { LiveMap } from "@/lib/live";
import type { RunStatus } from "@/lib/runs";

export type Session = Schemas["SessionOut"];
export type SessionDetail = Schemas["SessionDetail"];
export type SessionStatus = Schemas["SessionStatus"];

/** Each status, and that of the run which the session is. */
export const RUN_STATUS: Record<SessionStatus, RunStatus> = {
  CREATED: "queued",
  RUNNING: "running",
  PAUSED: "paused",
  COMPLETED: "completed",
  FAILED: "failed",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
};
export const SESSION_STATUSES = Object.keys(RUN_STATUS) as SessionStatus[];

/** What the list is narrowed to; also the search part of its address. */
export interface SessionFilters {
  status?: SessionStatus;
  skill?: string;
}

export const sessionKeys = {
  lists: ["sessions", "list"] as const,
  list: (filters: SessionFilters) => ["sessions", "list", filters] as const,
  one: (id: string) => ["sessions", "one", id] as const,
};

export function fetchSession(id: string): Promise<SessionDetail> {
  return answered(client.GET("/api/execution/sessions/{session_id}", { params: { path: { session_id: id } } }));
}

// how far a session has come is told by its own stream; a tool that returned may have written files
const PROGRESS = new Set(["run.step_completed", "run.tool_called"]);

export const sessionsLive: LiveMap = {
  "run.": (entries, queries) => {
    const changed = entries.filter((entry) => !PROGRESS.has(entry.type));
    if (changed.length === 0) return;
    void queries.invalidateQueries({ queryKey: sessionKeys.lists });
    for (const id of new Set(changed.map((entry) => entry.run_id))) {
      if (id) void queries.invalidateQueries({ queryKey: sessionKeys.one(id) });
    }
  },
};
