/** One interrupt of a graph as questions to people, and their decisions in the form that the graph takes. */

import { plain, plainObject } from "./canonical.js";
import type { Opening } from "./client.js";
import { NotAllowed } from "./errors.js";
import { responseOf, type Action, type Hold, type JsonObject, type Kind } from "./holds.js";
import { line, LONGEST_TITLE, shortened, titleOf } from "./wording.js";

export interface Question {
  readonly kind: Kind;
  readonly title: string;
  readonly action: Action | null;
  readonly more: Opening;
}

/** `answer` makes of the decided holds, in the order of the questions, what the graph resumes with. */
export interface Inquiry {
  readonly questions: readonly Question[];
  readonly answer: (holds: readonly Hold[]) => unknown;
}

type Verb = "approve" | "edit" | "reject" | "respond";

interface Request {
  readonly name: string;
  readonly args: JsonObject;
  readonly description?: string;
}

// a graph that asks yes or no must be able to get a boolean: the text "no" would count as a yes there
const ANY_ANSWER = {
  title: "Answer",
  description: "Passed to the graph as is. If it asks yes or no, send true or false.",
  anyOf: [
    { title: "Text", type: "string", minLength: 1 },
    { title: "Yes or no", type: "boolean" },
    { title: "Number", type: "number" },
    { title: "Object", type: "object" },
    { title: "List", type: "array" },
  ],
};
const SAID_IN = ["question", "prompt", "message", "title", "description", "instruction", "task"];
const UNBOUND = { binding: "not bound to arguments" };
// whoever wrote the graph wants a person to look, whatever the policy thinks of the action
const AT_LEAST = { risk: "medium" };

/** What an interrupt's value asks; `schema` is the interrupt's own. */
export function read(value: unknown, schema: unknown): Inquiry {
  return batch(value) ?? anything(value, schema);
}

/** LangChain's `humanInTheLoopMiddleware`: `{actionRequests, reviewConfigs}` → `{decisions}`, by position. */
function batch(value: unknown): Inquiry | undefined {
  const { actionRequests, reviewConfigs } = fields(value);
  if (!Array.isArray(actionRequests) || !Array.isArray(reviewConfigs) || actionRequests.length === 0) return undefined;
  const requests = actionRequests.map(request);
  const allowed = requests.map((one, n) => verbs(reviewConfigs, n, one.name));
  const questions = requests.map((one, n) => approval(one, allowed[n] ?? [], n, requests.length));
  const answer = (holds: readonly Hold[]) => ({
    decisions: holds.map((hold, n) => decision(hold, requests[n] as Request, allowed[n] ?? [])),
  });
  return { questions, answer };
}

function approval(one: Request, allowed: readonly Verb[], n: number, count: number): Question {
  const numbered = count > 1 ? { call: `${n + 1} of ${count}` } : {};
  const context = { ...UNBOUND, asked_by: "langchain", allowed, ...numbered };
  const action = { name: one.name, args: one.args };
  const more = { description: one.description, task: AT_LEAST, context, takesResponse: allowed.includes("respond") };
  return { kind: "approval", title: titleOf(action), action, more };
}

function decision(hold: Hold, asked: Request, allowed: readonly Verb[]): object {
  const response = responseOf(hold);
  if (response !== null) return allowed.includes("respond") ? { type: "respond", message: response } : no(hold, response, allowed);
  if (hold.status !== "approved" || hold.action === null) {
    return no(hold, hold.decision?.reason ?? (hold.status === "rejected" ? undefined : hold.status), allowed);
  }
  const amended = hold.revision > 1;
  if (!amended && allowed.includes("approve")) return { type: "approve" };
  const { name, args, target } = hold.action;
  if (amended && target !== null) return no(hold, "it was amended to have a target, which a tool call cannot have", allowed);
  if (!allowed.includes("edit")) return no(hold, "it was amended, and this graph takes no edits: nothing was run", allowed);
  return { type: "edit", editedAction: amended ? { name, args } : { name: asked.name, args: asked.args } };
}

function no(hold: Hold, message: string | undefined, allowed: readonly Verb[]): object {
  if (!allowed.includes("reject") && allowed.includes("respond")) {
    return { type: "respond", message: message ?? "A person refused this call; it was not executed." };
  }
  // a graph that takes no rejection gets no answer at all
  if (!allowed.includes("reject")) throw new NotAllowed(hold);
  return message === undefined ? { type: "reject" } : { type: "reject", message };
}

/** Any other interrupt: the value is shown, and the graph resumes with what a person answers. */
function anything(value: unknown, schema: unknown): Inquiry {
  const evidence = { value: plain(value ?? null, "the interrupt's value") };
  const own = schema !== null && typeof schema === "object" ? schema : ANY_ANSWER;
  const more = { evidence, schema: own, context: UNBOUND };
  const answer = ([hold]: readonly Hold[]): unknown => {
    if (hold?.status !== "answered") throw new NotAllowed(hold as Hold);
    return hold.decision?.answer;
  };
  return { questions: [{ kind: "input", title: titled(value), action: null, more }], answer };
}

function titled(value: unknown): string {
  const said = typeof value === "string" ? [value] : SAID_IN.map((name) => fields(value)[name]);
  const text = said.find((one): one is string => typeof one === "string" && line(one.slice(0, 2000)) !== "") ?? "";
  // cut before cleaning: a text may be megabytes
  return shortened(line(text.slice(0, 2000)), LONGEST_TITLE) || "The graph needs an answer";
}

function request(value: unknown): Request {
  const { name, args, description } = fields(value);
  if (typeof name !== "string" || name.trim() === "") throw new TypeError("a call in the interrupt has no name");
  const said = typeof description === "string" && description.trim() !== "" ? { description } : {};
  return { name, args: plainObject(args, `the arguments of ${name}()`), ...said };
}

/** Of the config in the same place, if it is for this tool, else of any that is; yes or no if nothing says. */
function verbs(configs: readonly unknown[], n: number, name: string): readonly Verb[] {
  const mine = [configs[n], ...configs].map(fields).find((config) => config["actionName"] === name);
  const listed = Array.isArray(mine?.["allowedDecisions"]) ? (mine["allowedDecisions"] as unknown[]) : [];
  const known = (["approve", "edit", "reject", "respond"] as const).filter((verb) => listed.includes(verb));
  return known.length > 0 ? known : ["approve", "reject"];
}

function fields(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
}
