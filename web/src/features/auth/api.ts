import { queryOptions } from "@tanstack/react-query";
import { answered, client, rememberCsrf } from "@/lib/api";
import type { Me } from "@/lib/me";

export type Proof = { code: string; replace?: boolean } | { name: string; password: string } | "passkey";

export async function signIn(proof: Proof): Promise<Me> {
  if (proof === "passkey") return await signInWithPasskey();
  const me = await answered(client.POST("/api/sign-in", { body: { replace: false, ...proof } }));
  rememberCsrf(me.csrf_token);
  return me;
}

async function signInWithPasskey(): Promise<Me> {
  const { sign } = await import("@/lib/passkeys");
  const options = await answered(client.POST("/api/sign-in/passkey/options"));
  const me = await answered(client.POST("/api/sign-in/passkey", { body: await sign(options) }));
  rememberCsrf(me.csrf_token);
  return me;
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
