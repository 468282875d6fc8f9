/** An action as fields to change, each of its own type, and back. */
import type { Action } from "@/lib/holds";
import { TEXTS } from "@/features/hold/texts";

const WORDS = TEXTS.amendment;

export const FIELD_TYPES = { text: "text", number: WORDS.aNumber, flag: WORDS.yesOrNo, json: "JSON" } as const;

export interface AmendField {
  name: string;
  type: keyof typeof FIELD_TYPES;
  /** As it stands in the form. */
  text: string;
  /** Not of the action as it is: its name and type are the person's to choose. */
  added?: true;
}

export interface AmendDraft {
  target: string;
  args: AmendField[];
}

export const NEW_FIELD: AmendField = { name: "", type: "text", text: "", added: true };

export function draftOf(action: Action): AmendDraft {
  return { target: action.target ?? "", args: Object.entries(action.args).map(([name, value]) => fieldOf(name, value)) };
}

function fieldOf(name: string, value: unknown): AmendField {
  if (typeof value === "string") return { name, type: "text", text: value };
  if (typeof value === "number") return { name, type: "number", text: String(value) };
  if (typeof value === "boolean") return { name, type: "flag", text: String(value) };
  return { name, type: "json", text: JSON.stringify(value, null, 2) };
}

/** What is wrong with a field's value; nothing where it is fine. */
export function complaint(field: AmendField): string | null {
  if (field.type === "number" && (field.text.trim() === "" || !Number.isFinite(Number(field.text)))) return WORDS.thisMustBeANumber;
  if (field.type !== "json") return null;
  try {
    JSON.parse(field.text);
    return null;
  } catch {
    return WORDS.thisMustBeJson;
  }
}

/** What is wrong with its name: an argument has one, and no other has the same. */
export function nameComplaint(draft: AmendDraft, field: AmendField): string | null {
  if (field.name.trim() === "") return WORDS.enterAName;
  return draft.args.some((other) => other !== field && other.name === field.name) ? WORDS.thereIsAlreadyAnArgument(field.name) : null;
}

export function isBroken(draft: AmendDraft): boolean {
  return draft.args.some((field) => complaint(field) !== null || nameComplaint(draft, field) !== null);
}

export function actionOf(draft: AmendDraft, action: Action): Action {
  const args = Object.fromEntries(draft.args.map((field) => [field.name, valueOf(field)]));
  return { name: action.name, args, target: draft.target.trim() === "" ? null : draft.target };
}

function valueOf(field: AmendField): unknown {
  switch (field.type) {
    case "text":
      return field.text;
    case "number":
      return Number(field.text);
    case "flag":
      return field.text === "true";
    case "json":
      return complaint(field) ? field.text : (JSON.parse(field.text) as unknown);
  }
}
