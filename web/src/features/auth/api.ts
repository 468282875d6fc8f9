import { queryOptions } from "@tanstack/react-query";
import { answered, client, rememberCsrf } from "@/lib/api";
import { remembered, type Me } from "@/lib/me";

export type Proof = { code: string; replace?: boolean } | { name: string; password: string } | "passkey";

export async function signIn(proof: Proof): Promise<Me> {
  if (proof === "passkey") return await signInWithPasskey();
  return remembered(await answered(client.POST("/api/sign-in", { body: { replace: false, ...proof } })));
}

async function signInWithPasskey(): Promise<Me> {
  const { sign } = await import("@/lib/passkeys");
  const options = await answered(client.POST("/api/sign-in/passkey/options"));
  return remembered(await answered(client.POST("/api/sign-in/passkey", { body: await sign(options) })));
}

export async function signOut(everywhere: boolean): Promise<void> {
  await client.POST(everywhere ? "/api/sign-out-everywhere" : "/api/sign-out");
  rememberCsrf(null);
}

export const providersQuery = queryOptions({
  queryKey: ["sso-providers"],
  queryFn: () => answered(client.GET("/api/sso/providers")),
  staleTime: Infinity,
});
