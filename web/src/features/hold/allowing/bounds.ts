/** Bounds as a form has them, and as they are sent. */
import { TEXTS } from "@/features/hold/allowing/texts";

const WORDS = TEXTS.bounds;
export type Kind = "exact" | "one_of" | "prefix" | "range" | "any";

export const KINDS: Record<Kind, string> = { exact: "exactly", one_of: WORDS.oneOf, prefix: WORDS.beginsWith, range: "from … to", any: "anything" };

/** `text` is JSON: the value, a list of values, or a text for a prefix. */
export interface Draft {
  kind: Kind;
  text: string;
  min: string;
  max: string;
}

export type Bound = Record<string, unknown>;

export function draftOf(bound: Bound): Draft {
  const [kind, value] = Object.entries(bound)[0] as [Kind, unknown];
  const range = (kind === "range" ? value : {}) as { min?: number | null; max?: number | null };
  return {
    kind,
    text: kind === "prefix" ? String(value) : kind === "one_of" ? (value as unknown[]).map((one) => JSON.stringify(one)).join(", ") : kind === "exact" ? JSON.stringify(value) : "",
    min: range.min == null ? "" : String(range.min),
    max: range.max == null ? "" : String(range.max),
  };
}

/** Another kind of bound for the same argument, beginning with the value of the call. */
export function changed(kind: Kind, value: unknown): Draft {
  const number = typeof value === "number" ? String(value) : "";
  const text = kind === "prefix" ? (typeof value === "string" ? value : "") : kind === "exact" || kind === "one_of" ? JSON.stringify(value) : "";
  return { kind, text, min: kind === "range" ? "0" : "", max: number };
}

/** Nothing where what was typed is no bound. */
export function boundOf(draft: Draft): Bound | null {
  try {
    switch (draft.kind) {
      case "exact":
        return { exact: JSON.parse(draft.text) as unknown };
      case "one_of":
        return { one_of: JSON.parse(`[${draft.text}]`) as unknown };
      case "prefix":
        return { prefix: draft.text };
      case "range": {
        const [min, max] = [draft.min, draft.max].map((one) => (one.trim() === "" ? null : Number(one)));
        return Number.isNaN(min) || Number.isNaN(max) ? null : { range: { min, max } };
      }
      case "any":
        return { any: true };
    }
  } catch {
    return null;
  }
}
