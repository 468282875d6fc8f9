/** The workflows that workers serve. */
import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";

export type Workflow = Schemas["WorkflowOut"];

/** Workers tell of theirs when they start, and no event says so: looked up anew by each page that shows them. */
export const workflowsQuery = queryOptions({
  queryKey: ["workflows"],
  queryFn: async () => (await answered(client.GET("/api/workflows"))).workflows,
  staleTime: 5_000,
  refetchOnMount: "always",
});
