/** Validation for schema forms by an interpreter: the usual one compiles code, which our pages refuse to run. */
import { Validator, type OutputUnit } from "@cfworker/json-schema";
import { toErrorSchema, type RJSFValidationError, type ValidatorType } from "@rjsf/utils";
import { TEXTS } from "@/components/texts";

const WORDS = TEXTS.schemaValidator;

function errorsOf(schema: object, data: unknown): RJSFValidationError[] {
  // as it would be sent: the interpreter refuses to look at the nothing that another choice leaves in its fields
  const sent = JSON.stringify(data) as string | undefined;
  if (sent === undefined) return [{ stack: "" }];
  const result = new Validator(schema, "2020-12", false).validate(JSON.parse(sent));
  // the schema that contains a wrong one is wrong too: only the innermost say something
  return result.errors.filter((unit) => !["properties", "items", "$ref", "allOf"].includes(unit.keyword)).map(errorOf);
}

function errorOf(unit: OutputUnit): RJSFValidationError {
  const place = unit.instanceLocation.replace(/^#/, "").replaceAll("/", ".");
  const missing = unit.keyword === "required" ? /"([^"]+)"/.exec(unit.error)?.[1] : undefined;
  const property = missing ? `${place}.${missing}` : place;
  const message = missing ? WORDS.thisFieldIsRequired : unit.error;
  return { name: unit.keyword, property, message, stack: `${property} ${message}` };
}

const validator: ValidatorType = {
  validateFormData(data: unknown, schema: object) {
    const errors = errorsOf(schema, data ?? {});
    return { errors, errorSchema: toErrorSchema(errors) };
  },
  isValid(schema: object, data: unknown, root: object) {
    return errorsOf({ ...schema, $defs: (root as { $defs?: object }).$defs ?? {} }, data).length === 0;
  },
  rawValidation(schema: object, data: unknown) {
    return { errors: errorsOf(schema, data) as never[] };
  },
};

export default validator;
