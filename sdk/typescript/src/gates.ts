/** `gate`: a function that runs only when people, or the policy, have approved this exact call. */

import { canonical, digest, hex, plainObject, sha256 } from "./canonical.js";
import { Handrail, type Signalled } from "./client.js";
import {
  ActionChanged,
  AlreadyRan,
  AlreadyRedeemed,
  ApprovalVoid,
  HandrailError,
  MayHaveRun,
  NotAllowed,
  NotApproved,
  StaleDigest,
  UnexpectedAnswer,
} from "./errors.js";
import { pause } from "./exchange.js";
import type { Action, Hold, Json, JsonObject, OnComment } from "./holds.js";
import { backoff } from "./retries.js";
import { problemOf, type Standard } from "./schemas.js";

export type GateKind = "approval" | "confirmation" | "review";

/** How calls are put to people. All functions take the call's arguments. */
export interface Gating<A> {
  /** `approval` by default. */
  readonly kind?: GateKind | undefined;
  /** What people read first. */
  readonly title?: string | ((args: A) => string) | undefined;
  /** What is acted on: the name of an argument, or a function. */
  readonly target?: (keyof A & string) | ((args: A) => string) | undefined;
  /** What you claim on top: it can raise the level but never lowers it, unless an administrator trusts your claims. */
  readonly task?: object | ((args: A) => object | undefined) | undefined;
  /** The idempotency key. */
  readonly key?: ((args: A) => string | undefined | Promise<string | undefined>) | undefined;
  /** Seconds after which the server ends the hold. */
  readonly expiresIn?: number | undefined;
  /** Running it twice is harmless. */
  readonly idempotent?: boolean | undefined;
  /** Called with the questions people ask; may return the reply. */
  readonly onComment?: OnComment | undefined;
  /** People may also respond with words in place of yes or no: NotAllowed then has them as its `response`. */
  readonly takesResponse?: boolean | undefined;
  readonly client?: Handrail | undefined;
}

export interface GateOptions<A> extends Gating<A> {
  /** What the policy knows the action by. Default: the function's name, which a minifier may change. */
  readonly name?: string;
  /** A schema (zod or alike): fills in defaults before people are shown the call, and checks what they amended. */
  readonly input?: Standard<A>;
}

/** What a gated function gets after its arguments. */
export interface Call extends Signalled {
  readonly holdId: string;
}

/** Puts a hold in front of a function of one object: it runs only when this exact call is approved.
 *
 * A call opens a hold on the actual arguments (they must be JSON), waits for the decision, redeems it against the digest of
 * the arguments as they are then, runs the function on a plain copy of exactly those, and records how it ended:
 * `succeeded`, or `failed` with the type of the error. Neither the value returned nor the text of an error leaves the
 * program; an aborted function leaves no result.
 *
 * If people amended the arguments, the function runs with the amended ones. What the function fills in by itself, such as
 * a default of a parameter, is not shown to anyone: pass it, or give a schema as `input`.
 *
 * Throws NotAllowed if the request is rejected, expired or cancelled, and ActionChanged if the arguments are no longer
 * those that were approved. The function has then not run.
 *
 * A call runs at most once. A program that dies and calls again with the same key is re-attached to its hold; if the
 * earlier attempt had already begun, MayHaveRun is thrown (AlreadyRan if its result is known). With `idempotent`, which
 * declares that running twice is harmless, a call that began and left no result runs again.
 */
export function gate<A extends object, R>(
  run: (args: A, call: Call) => R | Promise<R>,
  options: GateOptions<A> = {},
): (args: A, signalled?: Signalled) => Promise<R> {
  const name = nameOf(run, options.name);
  if (run.length > 2) throw new TypeError(`${name}() takes ${run.length} parameters: gate a function of one object`);
  const question = new Question(name, options, options.input);
  return async (args, signalled = {}) => {
    const client = options.client ?? new Handrail();
    const given = await question.given(args);
    const passed = await passage(client, question, given, signalled.signal);
    const call = { ...signalled, holdId: passed.holdId };
    return recorded(client, passed.holdId, signalled.signal, () => run(passed.args as A, call));
  };
}

/** How a call of one function is put to people. */
export class Question<A> {
  readonly kind: GateKind;

  constructor(
    readonly name: string,
    readonly options: Gating<A>,
    readonly input?: Standard,
    /** What the call belongs to, such as a conversation. */
    readonly caseId?: string,
  ) {
    this.kind = options.kind ?? "approval";
  }

  /** What the caller passed, with the defaults of the schema. */
  async given(args: unknown): Promise<unknown> {
    if (this.input === undefined) return args ?? {};
    const checked = await this.input["~standard"].validate(args ?? {});
    if (checked.issues !== undefined) throw new TypeError(`${this.name}() was called wrongly: ${problemOf(checked) ?? ""}`);
    return checked.value;
  }

  /** A copy of what the call's arguments are at this moment. */
  arguments(args: unknown): JsonObject {
    return plainObject(args, `the arguments of ${this.name}()`);
  }

  /** Amended arguments; refused if the function could not take them. */
  async amended(args: JsonObject, shown: JsonObject): Promise<JsonObject> {
    const odd = this.input === undefined ? oddNames(args, shown) : problemOf(await this.input["~standard"].validate(args));
    if (odd) throw new ActionChanged(`the action was amended and no longer matches ${this.name}(): ${odd}`);
    return args;
  }

  titled(args: JsonObject): string {
    const { title } = this.options;
    return typeof title === "function" ? title(args as A) : (title ?? this.name);
  }

  action(args: JsonObject): Action {
    const { target } = this.options;
    if (target === undefined) return { name: this.name, args };
    if (typeof target === "function") return { name: this.name, args, target: target(args as A) };
    if (!Object.hasOwn(args, target)) throw new TypeError(`${this.name}() has no argument '${target}' to use as the target`);
    const value = args[target] as Json;
    return { name: this.name, args, target: typeof value === "string" ? value : canonical(value) };
  }

  /** What is claimed of the call. */
  task(args: JsonObject): JsonObject | undefined {
    const { task } = this.options;
    const claimed = typeof task === "function" ? (task as (args: A) => object | undefined)(args as A) : task;
    return claimed && plainObject(claimed, `the task of ${this.name}()`);
  }
}

/** The approval was used: these arguments may run, once. `amended`: people changed them. */
export interface Passage {
  readonly holdId: string;
  readonly args: JsonObject;
  readonly amended: boolean;
}

/** Opens the hold, waits, and redeems the approval of exactly the arguments that are returned.
 *
 * If nobody has to be asked, one request does all of it.
 */
export async function passage<A>(
  client: Handrail,
  question: Question<A>,
  given: unknown,
  signal: AbortSignal | undefined,
): Promise<Passage> {
  const { options, kind } = question;
  const shown = question.arguments(given);
  const title = question.titled(shown);
  const key = await options.key?.(shown as A);
  const redemption = await redemptionKey(options.idempotent === true ? key : undefined);
  const first = await digest(kind, title, question.action(shown));
  let hold: Hold;
  try {
    hold = await client.open(kind, title, question.action(shown), {
      caseId: question.caseId,
      task: question.task(shown),
      expiresIn: options.expiresIn,
      takesResponse: options.takesResponse,
      redeem: kind === "approval" ? { digest: first, key: redemption } : undefined,
      idempotencyKey: key,
      signal,
    });
  } catch (refusal) {
    if (!(refusal instanceof AlreadyRedeemed)) throw refusal;
    throw used(await client.get(String(refusal.data["hold_id"]), { signal }));
  }
  // one that was used under another key is refused above, and one of another digest was amended
  if (hold.redeemed !== null && hold.result === null && hold.digest === first) {
    return { holdId: hold.id, args: shown, amended: false };
  }
  for (let attempt = 0; ; attempt++) {
    if (hold.status === "pending") hold = await client.wait(hold.id, { onComment: options.onComment, signal });
    checkUsable(hold, options.idempotent === true);
    // a later revision is what people made of the action; the first is what the arguments are now
    const amended = hold.action !== null && hold.revision > 1;
    const args = amended
      ? await question.amended(question.arguments(hold.action?.args), shown)
      : question.arguments(given);
    const wanted = await digest(kind, title, question.action(args));
    try {
      const redeemed = await client.redeem(hold.id, wanted, redemption, { signal });
      if (redeemed.digest !== wanted || redeemed.hold_id !== hold.id) {
        throw new UnexpectedAnswer("the server redeemed another action than the one that is about to run; it does not run");
      }
      return { holdId: hold.id, args, amended };
    } catch (refusal) {
      if (![NotApproved, ApprovalVoid, StaleDigest, AlreadyRedeemed].some((kind) => refusal instanceof kind)) throw refusal;
      const seen = hold;
      hold = await client.get(hold.id, { signal });
      if (refusal instanceof AlreadyRedeemed) throw used(hold);
      if (refusal instanceof StaleDigest && hold.revision === seen.revision) {
        throw new ActionChanged(`the arguments of ${question.name}() are not those that were approved`, {
          data: { hold_id: hold.id },
        });
      }
    }
    await pause(backoff(attempt), signal);
  }
}

/** Runs it, and records that it returned, or the type of what it threw: neither its value nor the error's text. */
export async function recorded<R>(
  client: Handrail,
  holdId: string,
  signal: AbortSignal | undefined,
  run: () => R | Promise<R>,
): Promise<R> {
  let value: R;
  try {
    value = await run();
  } catch (error) {
    // what was aborted may have happened or not
    if (!signal?.aborted) await record(client, holdId, error);
    throw error;
  }
  await record(client, holdId);
  return value;
}

/** The action has happened by now, so a failure to record it is logged and keeps nothing from the caller. */
export async function record(client: Handrail, holdId: string, ...failure: [error?: unknown]): Promise<void> {
  try {
    if (failure.length === 0) await client.result(holdId, "succeeded");
    else await client.result(holdId, "failed", { error: typeOf(failure[0]) });
  } catch (problem) {
    if (!(problem instanceof HandrailError)) throw problem;
    (client.log ?? console.warn)(`the result of hold ${holdId} could not be recorded: ${problem.message}`);
  }
}

function checkUsable(hold: Hold, idempotent: boolean): void {
  if (hold.status !== "approved") throw new NotAllowed(hold);
  if (hold.result !== null || (hold.redeemed !== null && !idempotent)) throw used(hold);
}

function used(hold: Hold): MayHaveRun {
  if (hold.result !== null) return new AlreadyRan(`'${hold.title}' ran before and ${hold.result.outcome}`, hold);
  const since = hold.redeemed ? ` at ${hold.redeemed.at}` : "";
  return new MayHaveRun(`'${hold.title}' was started${since} and left no result: check whether it happened`, hold);
}

/** Fresh for every attempt, so that of two attempts one runs; derived from the key if both may run. */
export async function redemptionKey(key: string | undefined): Promise<string> {
  return key === undefined ? hex(crypto.getRandomValues(new Uint8Array(16))) : sha256(`redeem ${key}`);
}

function oddNames(args: JsonObject, shown: JsonObject): string {
  const names = [...Object.keys(args), ...Object.keys(shown)];
  return names.filter((name) => Object.hasOwn(args, name) !== Object.hasOwn(shown, name)).sort().join(", ");
}

function nameOf(run: unknown, given: string | undefined): string {
  if (typeof run !== "function") throw new TypeError("gate a function");
  if (/Generator/.test(Object.prototype.toString.call(run))) {
    throw new TypeError("a generator cannot be gated, because calling it does nothing yet: gate the function that acts");
  }
  const name = given ?? run.name;
  if (name === "") throw new TypeError("the function has no name to show to people: pass `name`");
  return name;
}

/** The name of an error's class; anything else that is there might be a text. */
function typeOf(error: unknown): string {
  const name: unknown = error instanceof Error ? error.name : typeof error;
  return typeof name === "string" && /^[\w$.]{1,100}$/.test(name) ? name : "Error";
}
