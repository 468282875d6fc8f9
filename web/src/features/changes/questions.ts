/** A question's schema as fields to fill in, where it asks for words and choices only. */
export interface Asked {
  name: string;
  title: string;
  choices: string[];
  required: boolean;
  long: boolean;
}

const LONG = 500;

export function fieldsOf(schema: unknown): Asked[] | null {
  if (typeof schema !== "object" || schema === null) return null;
  const { type, properties, required } = schema as { type?: unknown; properties?: Record<string, unknown>; required?: unknown };
  if (type !== "object" || !properties) return null;
  const needed = Array.isArray(required) ? (required as unknown[]) : [];
  const fields = Object.entries(properties).map(([name, of]) => fieldOf(name, of, needed.includes(name)));
  return fields.every((field) => field !== null) ? fields : null;
}

function fieldOf(name: string, of: unknown, required: boolean): Asked | null {
  if (typeof of !== "object" || of === null) return null;
  const { type, title, enum: choices, maxLength } = of as { type?: unknown; title?: unknown; enum?: unknown; maxLength?: unknown };
  if (type !== "string") return null;
  return {
    name,
    title: typeof title === "string" ? title : name,
    choices: Array.isArray(choices) ? (choices as unknown[]).map(String) : [],
    required,
    long: typeof maxLength === "number" && maxLength > LONG,
  };
}
