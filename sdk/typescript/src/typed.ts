/** `ask`: a typed question to people, and their answer as a value of that type. */

import { Handrail, type Waiting } from "./client.js";
import { plain } from "./canonical.js";
import { Misconfigured, NotAllowed, UnexpectedAnswer } from "./errors.js";
import { isStandard, problemOf, type Answered } from "./schemas.js";

export interface Asking extends Waiting {
  /** What people read first. A question that is a text is its own title. */
  readonly title?: string;
  /** Re-attaches a program that restarts to its question. Without a key it asks again. */
  readonly key?: string;
  /** Seconds after which the server ends the question. */
  readonly timeout?: number;
  readonly client?: Handrail;
}

/** One person's answer, as a value of the type that `answer` describes. Waits forever by default.
 *
 * `question` is JSON; `answer` is a JSON schema, or a schema of a library such as zod. People see the question and a form
 * for the answer; the server refuses an answer that does not fit. NotAllowed is thrown if the question expires or is
 * cancelled.
 */
export async function ask<const S extends object>(question: unknown, answer: S, options: Asking = {}): Promise<Answered<S>> {
  const title = options.title ?? (typeof question === "string" ? question : undefined);
  if (title === undefined) throw new Misconfigured("the question needs a `title`, which people read first");
  const client = options.client ?? new Handrail();
  const hold = await client.ask("input", title, null, {
    evidence: plain(question, "the question"),
    schema: schemaOf(answer),
    expiresIn: options.timeout,
    idempotencyKey: options.key,
    onComment: options.onComment,
    signal: options.signal,
  });
  if (hold.status !== "answered") throw new NotAllowed(hold);
  if (hold.decision === null) throw new UnexpectedAnswer(`hold ${hold.id} is answered without a decision`);
  return (await valueOf(answer, hold.decision.answer)) as Answered<S>;
}

function schemaOf(answer: object): unknown {
  if (!isStandard(answer)) return answer;
  const made = answer["~standard"].jsonSchema?.input({ target: "draft-2020-12" });
  if (made === undefined) {
    throw new Misconfigured(
      `schemas of ${answer["~standard"].vendor} in this version have no JSON schema (zod has from 4.2 on): pass a JSON schema`,
    );
  }
  return made;
}

async function valueOf(answer: object, said: unknown): Promise<unknown> {
  if (!isStandard(answer)) return said;
  const checked = await answer["~standard"].validate(said);
  if (checked.issues !== undefined) {
    throw new UnexpectedAnswer(`the answer does not fit its schema: ${problemOf(checked) ?? ""}`);
  }
  return checked.value;
}
