/** The tools of an AI SDK agent (`ai`), each call behind the policy: low ones run, the others wait for people. */

import { canonical, hex, plainObject, sha256 } from "./canonical.js";
import { Handrail } from "./client.js";
import { AlreadyRan, HandrailError, MayHaveRun, Misconfigured, NotAllowed } from "./errors.js";
import { passage, Question, record, recorded, type Gating, type Passage } from "./gates.js";
import type { JsonObject, OnComment } from "./holds.js";
import { isStandard, type Standard } from "./schemas.js";
import { titleOf } from "./wording.js";

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tools' own types pass through unchanged
type Tools = Record<string, any>;
type Arguments = Record<string, unknown>;

// so often people are asked the same; after that a no stays a no
const MOST_REJECTIONS = 3;

export interface ToolGating {
  /** The conversation. With it, a program that dies and runs the conversation again finds its holds and their decisions. */
  readonly thread?: string;
  /** Tools that may run again without harm, such as searches: a call that ran before a crash is asked again. */
  readonly repeatable?: readonly string[];
  /** What you claim of a call; it can raise the level but never lowers it, unless an administrator trusts your claims. */
  readonly task?: (tool: string, input: Arguments) => object | undefined;
  /** Seconds after which the server ends a hold. */
  readonly expiresIn?: number;
  /** Called with the questions people ask; may return the reply. */
  readonly onComment?: OnComment;
  readonly client?: Handrail;
}

/** A call was not run; the model reads the message. `cause` is the error that says why. */
export class NotRun extends HandrailError {
  static override readonly code: string = "not_run";
  override readonly name: string = "NotRun";

  constructor(
    tool: string,
    override readonly cause: HandrailError,
  ) {
    super(refusal(tool, cause), { code: cause.code, data: cause.data });
  }
}

/** What the AI SDK passes to a tool, as far as it is used here. */
interface Execution {
  readonly toolCallId: string;
  readonly messages?: readonly { readonly content: unknown }[];
  readonly abortSignal?: AbortSignal;
}

interface Executable {
  readonly inputSchema?: unknown;
  readonly execute: (input: unknown, execution: Execution) => unknown;
  readonly toModelOutput?: (made: Made) => unknown;
}

interface Made {
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: unknown;
}

/** The same tools, each of which runs only when this exact call is approved.
 *
 * The policy approves low calls at once. A call that is not approved does not run, and the model reads why. A call that a
 * person amended runs as amended, and the model reads what ran; your code gets the tool's own output.
 *
 * With `thread`, a call is known by thread, tool, input, and how often the conversation had it before. Run again after a
 * crash, it finds its hold and the decision made meanwhile; what ran does not run again. Without one, a new program asks
 * again.
 *
 * A tool without `execute` runs elsewhere, where nothing here can stop it: it is refused.
 */
export function gateTools<T extends Tools>(tools: T, options: ToolGating = {}): T {
  const gate = new ToolGate(options);
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, gated(name, tool, gate)])) as T;
}

/** What all tools of one `gateTools` share. */
class ToolGate {
  readonly #alone = hex(crypto.getRandomValues(new Uint8Array(16)));
  // how many calls of the same tool with the same input there were
  readonly #seen = new Map<string, number>();
  readonly #rejected = new Map<string, number>();

  constructor(readonly options: ToolGating) {}

  /** Opens the hold, waits, and uses the approval. Whatever goes wrong, the call then has not run. */
  async enter(name: string, tool: Executable, input: unknown, execution: Execution): Promise<[Handrail, Passage]> {
    try {
      const client = this.options.client ?? new Handrail();
      return [client, await this.#passed(client, name, tool, input ?? {}, execution)];
    } catch (error) {
      throw error instanceof HandrailError ? new NotRun(name, error) : error;
    }
  }

  async #passed(client: Handrail, name: string, tool: Executable, input: unknown, execution: Execution): Promise<Passage> {
    const said = await this.#said(name, input);
    const rejections = this.#rejected.get(said) ?? 0;
    if (rejections >= MOST_REJECTIONS) {
      throw new HandrailError(`people rejected this same call ${rejections} times, and are not asked again`, { code: "not_asked_again" });
    }
    for (;;) {
      const key = await this.#key(name, input, said, execution);
      const question = new Question<Arguments>(name, this.#asking(name, key), fitting(tool.inputSchema), this.options.thread);
      try {
        return await passage(client, question, input, execution.abortSignal);
      } catch (error) {
        if (error instanceof NotAllowed && error.hold.status === "rejected") this.#rejected.set(said, rejections + 1);
        // by its input, the next one is another call
        if (!(error instanceof MayHaveRun) || !this.options.repeatable?.includes(name)) throw error;
      }
    }
  }

  #asking(name: string, key: string): Gating<Arguments> {
    const { task, expiresIn, onComment } = this.options;
    const title = (args: Arguments) => titleOf({ name, args });
    return { title, task: task && ((args) => task(name, args)), key: () => key, expiresIn, onComment, takesResponse: true };
  }

  #said(name: string, input: unknown): Promise<string> {
    const args = plainObject(input, `the input of ${name}`);
    return sha256(canonical([this.options.thread ?? this.#alone, name, args]));
  }

  /** A call's own key. How often the same call was made before is part of it: a model may repeat itself. */
  async #key(name: string, input: unknown, said: string, execution: Execution): Promise<string> {
    const args = plainObject(input, `the input of ${name}`);
    const nth = Math.max(timesBefore(execution, name, canonical(args)), this.#seen.get(said) ?? 0);
    this.#seen.set(said, nth + 1);
    return `ai-${await sha256(canonical(["nth", said, nth]))}`;
  }
}

function gated(name: string, tool: unknown, gate: ToolGate): unknown {
  if (!isExecutable(tool)) {
    throw new Misconfigured(`the tool '${name}' has no \`execute\`: it runs elsewhere, and Handrail cannot stop it`);
  }
  const amended = new Map<string, JsonObject>();
  const enter: Enter = async (input, execution) => {
    const [client, passed] = await gate.enter(name, tool, input, execution);
    // one entry for each call that a person changed: few, however long the program runs
    if (passed.amended) amended.set(execution.toolCallId, passed.args);
    return [client, passed];
  };
  const execute = isGenerator(tool.execute) ? streaming(tool, enter) : plainly(tool, enter);
  const toModelOutput = async (made: Made): Promise<unknown> => {
    const ran = amended.get(made.toolCallId);
    const output = tool.toModelOutput ? await tool.toModelOutput(made) : usual(made.output);
    return ran === undefined ? output : withNotice(output, ran);
  };
  // not spread: some of a tool's properties are not enumerable
  const properties = Object.getOwnPropertyDescriptors(tool);
  const given = (value: unknown) => ({ value, enumerable: true, configurable: true, writable: true });
  return Object.create(Object.getPrototypeOf(tool) as object | null, {
    ...properties,
    execute: given(execute),
    toModelOutput: given(toModelOutput),
  });
}

type Enter = (input: unknown, execution: Execution) => Promise<[Handrail, Passage]>;

function plainly(tool: Executable, enter: Enter): Executable["execute"] {
  return async (input, execution) => {
    const [client, passed] = await enter(input, execution);
    return recorded(client, passed.holdId, execution.abortSignal, () => last(tool.execute(passed.args, execution)));
  };
}

/** Of a tool that shows how far it is. */
function streaming(tool: Executable, enter: Enter): Executable["execute"] {
  return async function* (input, execution) {
    const [client, passed] = await enter(input, execution);
    try {
      yield* tool.execute(passed.args, execution) as AsyncIterable<unknown>;
    } catch (error) {
      if (!execution.abortSignal?.aborted) await record(client, passed.holdId, error);
      throw error;
    }
    await record(client, passed.holdId);
  };
}

/** In how many earlier messages the same call stands. */
function timesBefore(execution: Execution, name: string, input: string): number {
  const parts = (execution.messages ?? []).flatMap(({ content }) => (Array.isArray(content) ? (content as unknown[]) : []));
  return parts.filter((part) => {
    const call = part as { type?: unknown; toolCallId?: unknown; toolName?: unknown; input?: unknown };
    if (call.type !== "tool-call" || call.toolName !== name || call.toolCallId === execution.toolCallId) return false;
    try {
      return canonical(plainObject(call.input ?? {}, "input")) === input;
    } catch {
      return false;
    }
  }).length;
}

/** What the model reads in place of a result. */
function refusal(tool: string, error: HandrailError): string {
  if (error instanceof NotAllowed) {
    if (error.response !== null) {
      return `\`${tool}\` was not run. ${error.decision?.by?.name ?? "A person"} responded instead: ${error.response}`;
    }
    const who = error.decision?.by ? ` by ${error.decision.by.name}` : "";
    const why = error.reason ? ` Reason: ${error.reason}` : "";
    return `\`${tool}\` was not run. It was ${error.hold.status}${who}. Do not try another way.${why}`;
  }
  if (error instanceof AlreadyRan) {
    return `\`${tool}\` was not run again: this call ran before in this conversation and ${error.result?.outcome ?? "ended"}.`;
  }
  if (error instanceof MayHaveRun) {
    return `\`${tool}\` was not run: it was started before, and may have happened. Ask a person to check.`;
  }
  return `\`${tool}\` was not run, because Handrail did not allow it: ${error.message}`;
}

/** The model's view of an output, as the AI SDK makes it for a tool that does not make its own. */
function usual(output: unknown): { type: string; value: unknown } {
  if (typeof output === "string") return { type: "text", value: output };
  const written = JSON.stringify(output) as string | undefined;
  return { type: "json", value: written === undefined ? null : (JSON.parse(written) as unknown) };
}

function withNotice(output: unknown, args: JsonObject): unknown {
  const notice = `A person amended this call before it ran. It ran with ${canonical(args)}.`;
  const { type, value } = output as { type?: unknown; value?: unknown };
  if (type === "content" && Array.isArray(value)) {
    return { type, value: [{ type: "text", text: notice }, ...(value as unknown[])] };
  }
  if (typeof value === "string") return { type, value: `${notice} Its result:\n${value}` };
  return { type, value: { notice, result: value ?? null } };
}

async function last(made: unknown): Promise<unknown> {
  if (!isAsyncIterable(made)) return made;
  let output: unknown;
  for await (const each of made) output = each;
  return output;
}

/** What amended input must fit; a JSON schema is left to the people who amend, and to the tool. */
function fitting(schema: unknown): Standard {
  if (isStandard(schema)) return schema;
  return { "~standard": { version: 1, vendor: "handrail", validate: (value) => ({ value }) } };
}

function isExecutable(tool: unknown): tool is Executable {
  return typeof (tool as Partial<Executable> | null)?.execute === "function";
}

function isGenerator(run: unknown): boolean {
  return Object.prototype.toString.call(run) === "[object AsyncGeneratorFunction]";
}

function isAsyncIterable(made: unknown): made is AsyncIterable<unknown> {
  return made !== null && typeof made === "object" && Symbol.asyncIterator in made;
}
