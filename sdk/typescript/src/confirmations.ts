/** Confirmations: yes or no from a person, for one action or for each item of a batch. */

import { digest as digestOf, plain } from "./canonical.js";
import { Handrail, type Signalled } from "./client.js";
import { DigestRequired, Invalid, UnexpectedAnswer } from "./errors.js";
import type { Decision, Hold, ItemDecision, OnComment } from "./holds.js";

interface Requesting extends Signalled {
  readonly caseId: string;
  readonly agentType: string;
  readonly actionDescription: string;
  readonly context?: unknown;
  /** Seconds after which the server rejects the request, even if the program is not running. */
  readonly timeout?: number;
  /** Re-attaches a program that restarts with the same key and arguments. No key is ever invented. */
  readonly idempotencyKey?: string;
  /** Called with the questions people ask; may return the reply. */
  readonly onComment?: OnComment;
}

export interface ConfirmationRequest extends Requesting {
  readonly affectedItems: readonly unknown[];
}

export interface BatchRequest extends Requesting {
  /** Each a JSON object with a unique `item_id`. */
  readonly items: readonly object[];
}

/** `approved` is true only if exactly what was asked was approved. */
export interface ConfirmationResult {
  readonly approved: boolean;
  readonly reason: string | null;
  readonly respondedAt: string;
}

/** A decision for every item, in the order of the items; `approved` are the ids of those that were approved. */
export interface BatchConfirmationResult {
  readonly decisions: readonly ItemDecision[];
  readonly approved: readonly string[];
  readonly respondedAt: string;
}

/** `digest` says which revision the person saw. It is required only if the request was amended since it opened. */
export interface Resolving extends Signalled {
  readonly digest?: string;
  readonly reason?: string;
}

interface With {
  /** Without one, HANDRAIL_URL and HANDRAIL_TOKEN give the server and the caller. */
  readonly client?: Handrail;
}

/** A person's yes or no. Waits forever by default, through server restarts and network outages.
 *
 * A program that restarts with the same `idempotencyKey` and the same arguments is re-attached to its request and gets the
 * decision that was made in the meantime. Without a key it asks again.
 */
export async function requestConfirmation(request: ConfirmationRequest & With): Promise<ConfirmationResult> {
  return confirmed(request.client ?? new Handrail(), request);
}

/** One request for many items; a decision for each of them. If nobody decides in time, every item is rejected. */
export async function requestConfirmations(request: BatchRequest & With): Promise<BatchConfirmationResult> {
  return confirmedEach(request.client ?? new Handrail(), request);
}

/** A person's answer. The first answer wins; later ones throw AlreadyDecided, which says who decided and when. */
export async function resolveConfirmation(
  requestId: string,
  approved: boolean,
  options: Resolving & With = {},
): Promise<Hold> {
  return resolved(options.client ?? new Handrail(), requestId, approved, options);
}

/** A person's answer to a batch: every item must have its decision. The first answer wins. */
export async function resolveConfirmations(
  batchId: string,
  decisions: readonly ItemDecision[],
  options: Resolving & With = {},
): Promise<Hold> {
  return resolvedEach(options.client ?? new Handrail(), batchId, decisions, options);
}

export async function confirmed(client: Handrail, request: ConfirmationRequest): Promise<ConfirmationResult> {
  const affected = plain([...request.affectedItems], "`affectedItems`");
  const evidence = { agent_type: request.agentType, affected_items: affected };
  const hold = await client.ask("confirmation", request.actionDescription, null, { ...asking(request), evidence });
  const { reason, at } = decisionOf(hold);
  const asked = await digestOf("confirmation", request.actionDescription, null, { evidence });
  return { approved: hold.status === "approved" && hold.digest === asked, reason, respondedAt: at };
}

export async function confirmedEach(client: Handrail, request: BatchRequest): Promise<BatchConfirmationResult> {
  const ids = request.items.map(itemId);
  const evidence = { agent_type: request.agentType };
  const hold = await client.ask("confirmation", request.actionDescription, null, {
    ...asking(request),
    items: request.items,
    evidence,
  });
  const decision = decisionOf(hold);
  const reason = decision.reason ?? `the request was ${hold.status}`;
  const decided = new Map(decision.items.map((item) => [item.item_id, item]));
  const decisions = ids.map((id) => decided.get(id) ?? { item_id: id, approved: false, reason });
  const approved = decisions.filter((item) => item.approved).map((item) => item.item_id);
  return { decisions, approved, respondedAt: decision.at };
}

export async function resolved(client: Handrail, id: string, approved: boolean, options: Resolving): Promise<Hold> {
  const { reason, signal } = options;
  return client.review(id, approved ? "approve" : "reject", { digest: await digestSeen(client, id, options), reason, signal });
}

export async function resolvedEach(
  client: Handrail,
  id: string,
  items: readonly ItemDecision[],
  options: Resolving,
): Promise<Hold> {
  return client.review(id, "answer", { digest: await digestSeen(client, id, options), items, signal: options.signal });
}

function asking(request: Requesting) {
  const { caseId, context, timeout, idempotencyKey, onComment, signal } = request;
  const onExpiry = timeout === undefined ? undefined : ("reject" as const);
  return { caseId, context, expiresIn: timeout, onExpiry, idempotencyKey, onComment, signal };
}

async function digestSeen(client: Handrail, id: string, options: Resolving): Promise<string> {
  if (options.digest !== undefined) return options.digest;
  const hold = await client.get(id, options);
  if (hold.revision > 1) {
    throw new DigestRequired(`request ${id} has been amended since it opened: pass the digest of the revision you saw`, {
      data: { revision: hold.revision },
    });
  }
  return hold.digest;
}

function decisionOf(hold: Hold): Decision {
  if (hold.decision === null) throw new UnexpectedAnswer(`hold ${hold.id} is ${hold.status} without a decision`);
  return hold.decision;
}

function itemId(item: object): string {
  const id: unknown = (item as { item_id?: unknown }).item_id;
  if (typeof id !== "string" || id === "") throw new Invalid("every item needs an `item_id` that is text");
  return id;
}
