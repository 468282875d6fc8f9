/** Runs of the demo's made-up shop. */
import { useMutation } from "@tanstack/react-query";
import { answered, client, Problem, type Schemas } from "@/lib/api";
import type { Workflow } from "@/lib/workflows";

// who starts a run cannot decide on it: so it is not the person at this page
const SHOP = "Demo shop";
const TOKEN_SECONDS = 60;
export const DEMO_CHANGE = "demo-change";

export async function startAsShop(bodies: Schemas["StartRun"][]): Promise<Schemas["RunOut"][]> {
  await addOnce(SHOP, "service", []);
  const token = await answered(client.POST("/api/tokens", { body: { principal: SHOP, expires_in: TOKEN_SECONDS, label: "demo" } }));
  const asShop = { headers: { Authorization: `Bearer ${token.token}` }, credentials: "omit" } as const;
  const runs: Schemas["RunOut"][] = [];
  for (const body of bodies) runs.push(await answered(client.POST("/api/runs", { ...asShop, body })));
  await client.DELETE("/api/tokens/{token_id}", { params: { path: { token_id: token.id } } });
  return runs;
}

/** One that is there from an earlier demo stays. */
export async function addOnce(name: string, kind: "person" | "service", roles: string[]): Promise<void> {
  try {
    await client.POST("/api/people", { body: { name, kind, roles } });
  } catch (error) {
    if (!(error instanceof Problem && error.status === 409)) throw error;
  }
}

/** A code change in the made-up shop, which whoever looks at it may decide. */
export function useDemoChange(onStarted: (id: string) => void) {
  return useMutation({
    mutationFn: async (workflow: Workflow) => {
      const [run] = await startAsShop([{ workflow: workflow.name, input: workflow.example }]);
      return run?.id ?? "";
    },
    onSuccess: onStarted,
  });
}
