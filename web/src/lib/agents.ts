/** Agents and services as a resource. */
import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { LiveMap } from "@/lib/live";

export type Agent = Schemas["AgentOut"];
export type AgentDetail = Schemas["AgentDetail"];

export const agentsQuery = queryOptions({
  queryKey: ["agents", "list"],
  queryFn: async () => (await answered(client.GET("/api/agents"))).agents,
});

export function agentQuery(id: string) {
  return queryOptions({
    queryKey: ["agents", "one", id],
    queryFn: () => answered(client.GET("/api/agents/{agent_id}", { params: { path: { agent_id: id } } })),
  });
}

// an agent that asks often is read again at most this often
const PAUSE_MS = 5_000;
let waiting = false;

const refresh: LiveMap[string] = (_entries, queries) => {
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    void queries.invalidateQueries({ queryKey: ["agents"] });
  }, PAUSE_MS);
};

export const agentsLive: LiveMap = {
  "hold.": refresh,
  "brake.": (_entries, queries) => queries.invalidateQueries({ queryKey: ["agents"] }),
  "agent.": (_entries, queries) => queries.invalidateQueries({ queryKey: ["agents"] }),
};
