/** How the fields of a JSON schema look: from what it says of them, without a word about looks in it. */
import type { UiSchema } from "@rjsf/utils";

type Schema = Record<string, unknown>;

// a choice of so few is seen at once
const FEW = 4;
// a text that may be longer is not written in one line
const LONG = 200;
const LONG_FORMATS = new Set(["textarea", "multiline", "markdown"]);
// a schema that refers to itself has no end
const DEEPEST = 12;

export function looksOf(schema: unknown, depth = 0): UiSchema {
  if (!isSchema(schema) || depth > DEEPEST) return {};
  return { ...ownLook(schema), ...inner(schema, depth + 1) };
}

function ownLook({ type, format, maxLength, enum: values, uniqueItems, items }: Schema): UiSchema {
  if (type === "array" && uniqueItems === true && isSchema(items) && (Array.isArray(items["enum"]) || isNamed(items["oneOf"]))) return { "ui:widget": "checkboxes" };
  if (Array.isArray(values) && values.length <= FEW && type !== "boolean") return { "ui:widget": "radio" };
  if (type === "string" && values === undefined && (LONG_FORMATS.has(String(format)) || (typeof maxLength === "number" && maxLength > LONG && format === undefined))) return { "ui:widget": "textarea" };
  return {};
}

function inner({ properties, items, oneOf, anyOf }: Schema, depth: number): UiSchema {
  const fields = isSchema(properties) ? Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, looksOf(one, depth)])) : {};
  const parts: UiSchema = {};
  if (isSchema(items)) parts["items"] = looksOf(items, depth);
  if (Array.isArray(oneOf)) parts["oneOf"] = oneOf.map((one) => looksOf(one, depth));
  if (Array.isArray(anyOf)) parts["anyOf"] = anyOf.map((one) => looksOf(one, depth));
  return { ...fields, ...parts };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Values with a name each. */
function isNamed(options: unknown): boolean {
  return Array.isArray(options) && options.every((one) => isSchema(one) && "const" in one);
}

/** Of an amount of money: its currency, or nothing in particular. `null` where it is none. */
export function currencyOf(schema: Schema): string | null {
  const { format, "x-currency": currency } = schema;
  if (typeof currency === "string" && /^[A-Z]{3}$/.test(currency)) return currency;
  return format === "money" ? "" : null;
}
