/** Which kind of answer a schema asks for. */
export interface Choice {
  value: unknown;
  label: string;
}

export type AnswerKind = { as: "text" } | { as: "choice"; choices: Choice[] } | { as: "number"; integer: boolean } | { as: "form" };

type Schema = Record<string, unknown>;

export function answerKind(schema: unknown): AnswerKind {
  if (typeof schema !== "object" || schema === null) return { as: "text" };
  const { type, enum: values, oneOf } = schema as Schema;
  if (Array.isArray(values)) return { as: "choice", choices: (values as unknown[]).map((value) => ({ value, label: labelOf(value) })) };
  if (Array.isArray(oneOf) && oneOf.every((one) => typeof one === "object" && one !== null && "const" in one)) {
    const options = oneOf as { const: unknown; title?: string }[];
    return { as: "choice", choices: options.map((one) => ({ value: one.const, label: one.title ?? labelOf(one.const) })) };
  }
  if (type === "boolean") return { as: "choice", choices: [{ value: true, label: "Yes" }, { value: false, label: "No" }] };
  if (type === "string") return { as: "text" };
  if (type === "number" || type === "integer") return { as: "number", integer: type === "integer" };
  return { as: "form" };
}

function labelOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What is typed into such a schema must not rest anywhere, not even for this tab. */
export function isSecret(schema: unknown): boolean {
  return /"(format":"password|writeOnly":true)/.test(JSON.stringify(schema ?? null));
}
