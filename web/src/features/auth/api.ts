import { answered, client, rememberCsrf } from "@/lib/api";
import type { Me } from "@/lib/me";

export type Proof = { code: string; replace?: boolean } | { name: string; password: string };

export async function signIn(proof: Proof): Promise<Me> {
  const me = await answered(client.POST("/api/sign-in", { body: { replace: false, ...proof } }));
  rememberCsrf(me.csrf_token);
  return me;
}

export async function signOut(everywhere: boolean): Promise<void> {
  await client.POST(everywhere ? "/api/sign-out-everywhere" : "/api/sign-out");
  rememberCsrf(null);
}
