/** Types of answers and arguments: by a JSON schema, or by any library that speaks Standard Schema, such as zod. */

/** https://standardschema.dev, with its JSON schema, as far as it is used here. */
export interface Standard<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => unknown } | undefined;
  };
}

export type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

export interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What fits a JSON schema, for the schemas that people write by hand; `unknown` for all others. */
export type FromSchema<S> = S extends { readonly enum: readonly (infer V)[] }
  ? V
  : S extends { readonly const: infer V }
    ? V
    : S extends { readonly type: "string" }
      ? string
      : S extends { readonly type: "number" | "integer" }
        ? number
        : S extends { readonly type: "boolean" }
          ? boolean
          : S extends { readonly type: "null" }
            ? null
            : S extends { readonly type: "array"; readonly items: infer Item }
              ? FromSchema<Item>[]
              : S extends { readonly type: "object"; readonly properties: infer P }
                ? Fields<P, S extends { readonly required: readonly (infer R)[] } ? R : never>
                : unknown;

type Fields<P, R> = Flat<
  { -readonly [K in keyof P as K extends R ? K : never]: FromSchema<P[K]> } & {
    -readonly [K in keyof P as K extends R ? never : K]?: FromSchema<P[K]>;
  }
>;
type Flat<T> = { [K in keyof T]: T[K] };

/** The values that an answer of this schema has. */
export type Answered<S> = S extends Standard<infer Output> ? Output : FromSchema<S>;

export function isStandard(schema: unknown): schema is Standard {
  // some libraries' schemas are functions
  return schema !== null && (typeof schema === "object" || typeof schema === "function") && "~standard" in schema;
}

/** What does not fit, in one line; undefined if all does. */
export function problemOf(checked: Validated<unknown>): string | undefined {
  return checked.issues?.map((issue) => [pathOf(issue), issue.message].filter(Boolean).join(": ")).join("; ");
}

function pathOf(issue: Issue): string {
  return (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".");
}
