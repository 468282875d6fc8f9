/** What a LangGraph.js graph asks when it interrupts, put to people; their decisions are what it is resumed with. */

import { canonical, digest, sha256 } from "./canonical.js";
import { Handrail, type Waiting } from "./client.js";
import { ApprovalVoid, NotApproved, StaleDigest } from "./errors.js";
import { pause } from "./exchange.js";
import { redemptionKey } from "./gates.js";
import type { Hold, Json } from "./holds.js";
import { read, type Question } from "./interrupts.js";
import { backoff } from "./retries.js";

export interface Answering extends Waiting {
  readonly client?: Handrail;
  /** Groups the holds; default: the thread's id. */
  readonly caseId?: string;
}

/** What is needed of a compiled graph with a checkpointer. */
export interface Graph {
  getState(config: Config, options?: { subgraphs?: boolean }): Promise<Snapshot>;
  readonly checkpointer?: unknown;
}

export interface Config {
  readonly configurable?: Readonly<Record<string, unknown>>;
}

interface Snapshot {
  readonly config: Config;
  readonly tasks: readonly Task[];
}

interface Task {
  readonly id: string;
  readonly interrupts: readonly Interrupt[];
  readonly state?: unknown;
}

interface Interrupt {
  readonly id?: string;
  readonly value?: unknown;
  readonly response_schema?: unknown;
}

interface Saver {
  getTuple(config: Config): Promise<{ readonly pendingWrites?: readonly (readonly [string, string, unknown])[] } | undefined>;
}

/** Answers to everything that the thread asks now, by the ids of the interrupts; undefined if it asks nothing.
 *
 *     for (let resume; (resume = await answerInterrupts(graph, config)); )
 *       await graph.invoke(new Command({ resume }), config);
 *
 * The tool calls of LangChain's `humanInTheLoopMiddleware` become approvals; a call that a person amended runs as amended. Anything else is shown, and the graph resumes with what a person answers;
 * NotAllowed is thrown if nobody does, because any value for a no might be taken for a yes.
 *
 * A program that dies while it waits is re-attached to its holds when it calls again with the same thread: each question is
 * known by thread, interrupt, content, and how many answers its node had before.
 */
export async function answerInterrupts(
  graph: Graph,
  config: Config,
  options: Answering = {},
): Promise<Record<string, unknown> | undefined> {
  const thread = config.configurable?.["thread_id"];
  if (typeof thread !== "string" || thread === "") throw new TypeError("the config needs a `thread_id`");
  const client = options.client ?? new Handrail();
  const asked = await pending(graph, await graph.getState(config, { subgraphs: true }));
  if (asked.length === 0) return undefined;
  const answers = asked.map(async ({ interrupt, round }) => {
    const inquiry = read(interrupt.value, interrupt.response_schema);
    const holds = inquiry.questions.map(async (question, n) => {
      const key = await keyOf([thread, interrupt.id ?? "", round, n], question);
      return decided(client, question, key, { ...options, caseId: options.caseId ?? thread });
    });
    return [interrupt.id ?? "", inquiry.answer(await Promise.all(holds))] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

/** The interrupts that wait, also in subgraphs, each with how many answers its task has had before. */
async function pending(graph: Graph, state: Snapshot): Promise<{ interrupt: Interrupt; round: number }[]> {
  if (!state.tasks.some((task) => task.interrupts.length > 0)) return [];
  const saved = await (graph.checkpointer as Partial<Saver> | undefined)?.getTuple?.(state.config);
  const found = state.tasks.map(async (task) => {
    if (isSnapshot(task.state)) return pending(graph, task.state);
    const given = (saved?.pendingWrites ?? []).filter(([id, channel]) => id === task.id && channel === "__resume__");
    const round = given.reduce((sum, [, , values]) => sum + (Array.isArray(values) ? values.length : 1), 0);
    return task.interrupts.map((interrupt) => ({ interrupt, round }));
  });
  return (await Promise.all(found)).flat();
}

async function keyOf(place: Json[], question: Question): Promise<string> {
  const { schema, evidence } = question.more;
  const asked = await digest(question.kind, question.title, question.action, { schema, evidence });
  return `langgraph-${await sha256(canonical([...place, asked]))}`;
}

/** The decided hold; an approval has been redeemed, for exactly what it is answered with. */
async function decided(client: Handrail, question: Question, key: string, options: Answering): Promise<Hold> {
  const { kind, title, action, more } = question;
  const { signal, onComment, caseId } = options;
  let hold = await client.open(kind, title, action, { ...more, caseId, idempotencyKey: key, signal });
  for (let attempt = 0; ; attempt++) {
    if (hold.status === "pending") hold = await client.wait(hold.id, { onComment, signal });
    if (hold.status !== "approved" || hold.action === null) return hold;
    const wanted = await digest(kind, title, hold.revision > 1 ? hold.action : action);
    try {
      // the same key again after a crash: the graph's checkpoint says whether it was resumed
      await client.redeem(hold.id, wanted, await redemptionKey(key), { signal });
      return hold;
    } catch (refusal) {
      if (![NotApproved, ApprovalVoid, StaleDigest].some((kind) => refusal instanceof kind)) throw refusal;
      const seen = hold;
      hold = await client.get(hold.id, { signal });
      if (refusal instanceof StaleDigest && hold.revision === seen.revision) throw refusal;
    }
    await pause(backoff(attempt), signal);
  }
}

function isSnapshot(state: unknown): state is Snapshot {
  return Array.isArray((state as Partial<Snapshot> | null | undefined)?.tasks);
}
