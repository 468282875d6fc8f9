/** JSON as a value: plain copies of what a caller passes, canonical text (RFC 8785) and the digest of a question. */

import { Misconfigured, NotJson } from "./errors.js";
import type { Action, Json, JsonObject, Kind } from "./holds.js";

const DIGEST_VERSION = 1;
const MAX_DEPTH = 64;

/** A copy of the value in plain JSON, which nobody else can change; NotJson names the place otherwise.
 *
 * Refused: anything that is not a plain object, an array, text, a number, a boolean or null; NaN and infinities; numbers
 * beyond ±(2^53 − 1), which lose digits; NUL characters and halves of surrogate pairs. Like JSON.stringify, it leaves out
 * properties that are undefined.
 */
export function plain(value: unknown, where = "value", depth = 1): Json {
  switch (typeof value) {
    case "string":
      return text(value, where);
    case "number":
      return number(value, where);
    case "boolean":
      return value;
    case "object":
      if (value === null) return value;
      if (depth > MAX_DEPTH) throw new NotJson(`${where} is nested deeper than ${MAX_DEPTH} levels`);
      if (Array.isArray(value)) {
        // not `map`, which leaves holes as they are
        return Array.from(value, (item: unknown, n) => plain(item, `${where}[${n}]`, depth + 1));
      }
      if (isPlain(value)) return object(value, where, depth);
  }
  throw new NotJson(`${where} holds ${named(value)}, which is not JSON; pass plain data`, { data: { field: where } });
}

/** As `plain`, of an object with named values. */
export function plainObject(value: unknown, where: string): JsonObject {
  const copy = plain(value, where);
  if (copy === null || typeof copy !== "object" || Array.isArray(copy)) {
    throw new NotJson(`${where} is ${named(value)} instead of an object`, { data: { field: where } });
  }
  return copy;
}

/** RFC 8785: keys in the order of their UTF-16 code units, no spaces, numbers and texts as ECMAScript writes them. */
export function canonical(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name] as Json)}`).join(",")}}`;
}

/** SHA-256 (hex) of exactly what people are shown: an approval is bound to it.
 *
 * Computed here, from the values that are about to be used, so that nothing which was changed meanwhile runs.
 */
export async function digest(
  kind: Kind,
  title: string,
  action: Action | null = null,
  more: { items?: readonly unknown[]; schema?: unknown; evidence?: unknown } = {},
): Promise<string> {
  const { items = [], schema = null, evidence = null } = more;
  const asked = action && { name: action.name, args: action.args ?? {}, target: action.target ?? null };
  const question = { version: DIGEST_VERSION, kind, title, action: asked, items, schema, evidence };
  return sha256(canonical(plain(question, "question")));
}

/** In hexadecimal, by the platform's own means. */
export async function sha256(said: string): Promise<string> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle;
  if (subtle === undefined) {
    throw new Misconfigured("there is no crypto.subtle here: browsers only have it on pages served over HTTPS or from localhost");
  }
  return hex(new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(said))));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function object(value: object, where: string, depth: number): JsonObject {
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  // unlike an assignment, this makes `__proto__` a property like any other
  return Object.fromEntries(
    fields.map(([name, item]) => [text(name, where), plain(item, `${where}.${name}`, depth + 1)]),
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // the prototype of another realm's objects has none either
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function number(value: number, where: string): number {
  if (!Number.isFinite(value)) throw new NotJson(`${where} is ${value}, which JSON cannot represent`);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new NotJson(`${where} is beyond ±(2^53 − 1), where JSON numbers lose digits; pass it as text`);
  }
  // -0 is shown as 0, so 0 is what runs
  return value + 0;
}

function text(value: string, where: string): string {
  if (value.includes("\0")) throw new NotJson(`${where} contains a NUL character`);
  if (/\p{Surrogate}/u.test(value)) throw new NotJson(`${where} contains half of a surrogate pair`);
  return value;
}

function named(value: unknown): string {
  if (value === null || typeof value !== "object") return value === undefined ? "undefined" : `a ${typeof value}`;
  if (Array.isArray(value)) return "an array";
  return `a ${(value.constructor as { name?: string } | undefined)?.name ?? "object"}`;
}
