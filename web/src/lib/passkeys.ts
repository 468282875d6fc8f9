/** Passkeys in the browser: make one, and sign with one. The server's routes speak base64url. */
import { answered, client, Problem, type Schemas } from "@/lib/api";
import { TEXTS } from "@/lib/texts";

const WORDS = TEXTS.passkeys;

type Options = Schemas["PasskeyOptions"];
type Signature = Schemas["PasskeySignature"];

const ALGORITHMS = [-7, -8, -257];
const PATIENCE_MS = 120_000;

export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

export function toText(bytes: ArrayBuffer): string {
  const plain = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** A new passkey, for whoever is signed in. */
export async function makePasskey(label: string, person: { id: string; name: string }): Promise<void> {
  const options = await answered(client.POST("/api/me/passkeys/options"));
  const made = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: toBytes(options.challenge),
        rp: { id: options.party, name: "Handrail" },
        user: { id: new TextEncoder().encode(person.id), name: person.name, displayName: person.name },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key" as const, alg })),
        excludeCredentials: options.credentials.map((id) => ({ type: "public-key" as const, id: toBytes(id) })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        attestation: "none",
        timeout: PATIENCE_MS,
      },
    }),
  );
  const answer = made.response as AuthenticatorAttestationResponse;
  const key = answer.getPublicKey();
  if (key === null) throw new Problem(0, "passkey", WORDS.thisAuthenticatorsKindOfKey);
  await answered(
    client.POST("/api/me/passkeys", {
      body: {
        label,
        nonce: options.nonce,
        id: toText(made.rawId),
        client_data: toText(answer.clientDataJSON),
        authenticator_data: toText(answer.getAuthenticatorData()),
        public_key: toText(key),
      },
    }),
  );
}

/** A signature over the options' challenge. */
export async function sign(options: Options): Promise<Signature> {
  const made = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: toBytes(options.challenge),
        rpId: options.party,
        allowCredentials: options.credentials.map((id) => ({ type: "public-key" as const, id: toBytes(id) })),
        userVerification: "required",
        timeout: PATIENCE_MS,
      },
    }),
  );
  const answer = made.response as AuthenticatorAssertionResponse;
  return {
    nonce: options.nonce,
    id: toText(made.rawId),
    client_data: toText(answer.clientDataJSON),
    authenticator_data: toText(answer.authenticatorData),
    signature: toText(answer.signature),
  };
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (typeof PublicKeyCredential === "undefined") {
    throw new Problem(0, "passkey", WORDS.thisBrowserHasNoPasskeys);
  }
  let made: Credential | null;
  try {
    made = await ask();
  } catch (error) {
    const twice = error instanceof DOMException && error.name === "InvalidStateError";
    throw new Problem(0, "passkey", twice ? WORDS.thisAuthenticatorAlreadyHasA : WORDS.thePasskeyWasNotUsed);
  }
  if (made === null) throw new Problem(0, "passkey", WORDS.thePasskeyWasNotUsed);
  return made as PublicKeyCredential;
}
