/** The arithmetic of the proof, as docs/audit.md describes it: hashes, signatures, and the bytes they are over. */

const FIELDS = ["seq", "at", "type", "actor_id", "hold_id", "run_id", "case_id", "kind", "opener_id", "starter_id"];
const text = new TextEncoder();

export type Bytes = Uint8Array<ArrayBuffer>;

export interface Entry {
  record: "entry";
  seq: number;
  type: string;
  salt: string | null;
  data: string;
  data_hash: string;
  hash: string;
  [field: string]: unknown;
}

export interface SealRecord {
  record: "seal";
  number: number;
  seq: number;
  hash: string;
  at: string;
  key_id: string;
  signature: string;
}

/** A field that is missing is not one that is null. */
export function isComplete(entry: Entry): boolean {
  return Number.isInteger(entry.seq) && [...FIELDS, "salt", "data", "data_hash", "hash"].every((name) => entry[name] !== undefined);
}

export function bytes(hex: string): Bytes {
  if (!/^([0-9a-f]{2})*$/.test(hex)) throw new Error("not hexadecimal");
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function hex(of: Bytes): string {
  return Array.from(of, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function joined(...parts: Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function sha256(of: Bytes): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", of)));
}

/** JSON with its names in order: RFC 8785 for texts, whole numbers, null, and objects of these. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const object = value as Record<string, unknown>;
  const names = Object.keys(object).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(object[name])}`).join(",")}}`;
}

export const GENESIS = "handrail audit log v1";

export function genesis(): Promise<string> {
  return sha256(text.encode(GENESIS));
}

export function hashOfText(of: string): Promise<string> {
  return sha256(text.encode(of));
}

export function hashOfData(entry: Entry): Promise<string> {
  return sha256(joined(bytes(entry.salt ?? ""), text.encode(entry.data)));
}

/** The hash that an entry must have, after one with that hash. */
export function link(previous: string, entry: Entry): Promise<string> {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, entry[name]]));
  return sha256(joined(bytes(previous), text.encode(canonical(fields)), bytes(entry.data_hash)));
}

export async function keyId(raw: string): Promise<string> {
  return (await sha256(bytes(raw))).slice(0, 32);
}

const keys = new Map<string, Promise<CryptoKey>>();

async function signed(raw: string, signature: string, message: string): Promise<boolean> {
  let key = keys.get(raw);
  if (!key) {
    key = crypto.subtle.importKey("raw", bytes(raw), "Ed25519", false, ["verify"]);
    keys.set(raw, key);
  }
  return crypto.subtle.verify("Ed25519", await key, bytes(signature), text.encode(message));
}

export function sealSigned(raw: string, { number, seq, hash, at, key_id, signature }: SealRecord): Promise<boolean> {
  return signed(raw, signature, `handrail audit seal v1\n${canonical({ number, seq, hash, at, key_id })}`);
}

/** Whether a key made this statement: that a key follows, or that entries were emptied. */
export async function stated(type: string, data: Record<string, unknown>, raw: string): Promise<boolean> {
  const { signature, ...unsigned } = data;
  if (typeof signature !== "string" || data["signed_by"] !== (await keyId(raw))) return false;
  return signed(raw, signature, `handrail audit statement v1\n${canonical({ type, data: unsigned })}`);
}

/** What is missing in this browser; nothing where it can check. */
export async function cannotCheck(): Promise<"insecure" | "old" | null> {
  if (!globalThis.isSecureContext && typeof window !== "undefined") return "insecure";
  try {
    await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    return null;
  } catch {
    return "old";
  }
}
