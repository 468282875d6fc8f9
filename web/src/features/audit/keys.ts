/** Public keys in a file as `key.pub` is: PEM, one after the other; raw and in hex. */
import { hex } from "@/features/audit/proof";

const PEM = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+?)-----END PUBLIC KEY-----/g;
// what stands before the 32 bytes of an Ed25519 key
const PREFIX = "302a300506032b6570032100";

export function keysIn(text: string): string[] {
  return [...text.matchAll(PEM)].flatMap(([, body]) => {
    const all = hex(Uint8Array.from(atob((body ?? "").replace(/\s/g, "")), (letter) => letter.charCodeAt(0)));
    return all.startsWith(PREFIX) && all.length === PREFIX.length + 64 ? [all.slice(PREFIX.length)] : [];
  });
}
