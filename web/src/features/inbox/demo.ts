/** The demo: agents of a made-up shop that ask, and people to be somebody else as. */
import { queryOptions, skipToken, useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client } from "@/lib/api";
import { addOnce, startAsShop } from "@/lib/demo";
import type { Workflow } from "@/lib/workflows";

export interface DemoApprover {
  name: string;
  role: string;
  link: string;
}

const APPROVERS = [
  ["Demo Dana", "tech_lead"],
  ["Demo Toni", "team_lead"],
] as const;

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
      await startAsShop(workflows.map(({ name }) => ({ workflow: name, input: { messages: [] } })));
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
  await addOnce(name, "person", [role]);
  const { people } = await answered(client.GET("/api/people", { params: { query: { limit: 500 } } }));
  const id = people.find((one) => one.name === name)?.id ?? "";
  return (await answered(client.POST("/api/people/{principal_id}/login-link", { params: { path: { principal_id: id } } }))).url;
}
