/** The demo: agents of a made-up shop that ask, and people to be somebody else as. */
import { queryOptions, skipToken, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, Problem } from "@/lib/api";
import type { Workflow } from "@/lib/workflows";

export interface DemoApprover {
  name: string;
  role: string;
  link: string;
}

// who starts a run cannot decide on it: so it is not the person at this page
const SHOP = "Demo shop";
const APPROVERS = [
  ["Demo Dana", "tech_lead"],
  ["Demo Toni", "team_lead"],
] as const;
const TOKEN_SECONDS = 60;

/** Those of the demo that was started in this tab: their links are kept nowhere else. */
export const demoQuery = queryOptions<DemoApprover[]>({
  queryKey: ["demo"],
  queryFn: skipToken,
  gcTime: Number.POSITIVE_INFINITY,
  staleTime: "static",
});

/** Three agents that ask; the demo of a code change has its own command. */
const WORKFLOWS = new Set(["demo-deploy", "demo-refund", "demo-export"]);

export function isOfDemo(workflow: Workflow): boolean {
  return WORKFLOWS.has(workflow.name);
}

export function useStartDemo() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (workflows: Workflow[]) => {
      const approvers: DemoApprover[] = [];
      for (const [name, role] of APPROVERS) approvers.push({ name, role, link: await linkOf(name, role) });
      await startAll(workflows.map((one) => one.name));
      return approvers;
    },
    onSuccess: (approvers) => queries.setQueryData(demoQuery.queryKey, approvers),
  });
}

/** New links of the approvers of a demo that was started before this page was loaded. */
export function useDemoLinks() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => Promise.all(APPROVERS.map(async ([name, role]) => ({ name, role, link: await linkOf(name, role) }))),
    onSuccess: (approvers) => queries.setQueryData(demoQuery.queryKey, approvers),
  });
}

/** Whether a demo was ever started here. */
export const demoStartedQuery = queryOptions({
  queryKey: ["demo", "started"],
  queryFn: async () => {
    const { people } = await answered(client.GET("/api/people", { params: { query: { limit: 500 } } }));
    return people.some((one) => one.name === APPROVERS[0][0]);
  },
});

async function linkOf(name: string, role: string): Promise<string> {
  await add(name, "person", [role]);
  const { people } = await answered(client.GET("/api/people", { params: { query: { limit: 500 } } }));
  const id = people.find((one) => one.name === name)?.id ?? "";
  return (await answered(client.POST("/api/people/{principal_id}/login-link", { params: { path: { principal_id: id } } }))).url;
}

async function startAll(workflows: string[]): Promise<void> {
  await add(SHOP, "service", []);
  const token = await answered(client.POST("/api/tokens", { body: { principal: SHOP, expires_in: TOKEN_SECONDS, label: "demo" } }));
  const asShop = { headers: { Authorization: `Bearer ${token.token}` }, credentials: "omit" } as const;
  for (const workflow of workflows) await client.POST("/api/runs", { ...asShop, body: { workflow, input: { messages: [] } } });
  await client.DELETE("/api/tokens/{token_id}", { params: { path: { token_id: token.id } } });
}

/** One that is there from an earlier demo stays. */
async function add(name: string, kind: "person" | "service", roles: string[]): Promise<void> {
  try {
    await client.POST("/api/people", { body: { name, kind, roles } });
  } catch (error) {
    if (!(error instanceof Problem && error.status === 409)) throw error;
  }
}
