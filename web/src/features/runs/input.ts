/** How a workflow's input is asked for: as a message to an agent, as a form, or as JSON where a form would only hinder. */

type Schema = Record<string, unknown>;

export type Asking = { as: "message" } | { as: "form"; schema: Schema } | { as: "nothing" } | { as: "json"; fields: Field[] };

export interface Field {
  name: string;
  type: string;
  needed: boolean;
  about: string | null;
}

// deeper ones are easier written than clicked
const DEEPEST = 2;
const SIMPLE = new Set(["string", "number", "integer", "boolean"]);

export function asking(schema: unknown): Asking {
  if (!isSchema(schema)) return { as: "json", fields: [] };
  const properties = propertiesOf(schema);
  const names = Object.keys(properties);
  if (names.length === 1 && isConversation(properties["messages"])) return { as: "message" };
  if (names.length === 0 && schema["type"] === "object") return { as: "nothing" };
  const form = simplified(schema, schema, 0);
  return form ? { as: "form", schema: form } : { as: "json", fields: fieldsOf(schema) };
}

/** What goes to an agent: one message of a person. */
export function messageInput(text: string): unknown {
  return { messages: [{ role: "user", content: text }] };
}

/** What a person would say in the example of an agent's input. */
export function messageOf(example: unknown): string {
  const messages = isSchema(example) && Array.isArray(example["messages"]) ? (example["messages"] as unknown[]) : [];
  const content = isSchema(messages[0]) ? messages[0]["content"] : "";
  return typeof content === "string" ? content : "";
}

function isConversation(property: unknown): boolean {
  return isSchema(property) && property["type"] === "array" && JSON.stringify(property).includes("HumanMessage");
}

/** The schema without references, titles of types and "or null", where a form can be made of it. */
function simplified(given: Schema, root: Schema, depth: number): Schema | null {
  const schema = resolved(given, root);
  if (!schema || depth > DEEPEST) return null;
  if (Array.isArray(schema["enum"])) return schema;
  if (schema["type"] === "array") {
    const items = isSchema(schema["items"]) ? simplified(schema["items"], root, DEEPEST) : null;
    return items && { ...schema, items };
  }
  if (schema["type"] === "object") {
    const entries = Object.entries(propertiesOf(schema)).map(([name, inner]) => [name, isSchema(inner) ? simplified(inner, root, depth + 1) : null] as const);
    if (entries.length === 0 || entries.some(([, inner]) => inner === null)) return null;
    const { title, description, $defs, ...rest } = schema;
    return { ...rest, ...(depth > 0 ? { title } : {}), properties: Object.fromEntries(entries) };
  }
  return SIMPLE.has(schema["type"] as string) ? schema : null;
}

function resolved(given: Schema, root: Schema): Schema | null {
  const { anyOf, $ref, ...rest } = given;
  if (typeof $ref === "string") {
    const found = (root["$defs"] as Schema | undefined)?.[$ref.replace("#/$defs/", "")];
    return isSchema(found) ? { ...found, ...rest } : null;
  }
  if (!Array.isArray(anyOf)) return given;
  const others = anyOf.filter((one) => !(isSchema(one) && one["type"] === "null"));
  if (others.length !== 1 || !isSchema(others[0])) return null;
  const { default: standard, ...about } = rest;
  return resolved({ ...others[0], ...about, ...(standard == null ? {} : { default: standard }) }, root);
}

function fieldsOf(schema: Schema): Field[] {
  const needed = new Set((schema["required"] as string[] | undefined) ?? []);
  return Object.entries(propertiesOf(schema)).map(([name, given]) => {
    const inner = isSchema(given) ? (resolved(given, schema) ?? given) : {};
    const about = inner["description"];
    return { name, type: typeof inner["type"] === "string" ? inner["type"] : "any", needed: needed.has(name), about: typeof about === "string" ? about : null };
  });
}

function propertiesOf(schema: Schema): Schema {
  return isSchema(schema["properties"]) ? schema["properties"] : {};
}

function isSchema(given: unknown): given is Schema {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
