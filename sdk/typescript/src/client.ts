/** The client: everything a program can do with holds. */

import { plain, plainObject } from "./canonical.js";
import * as confirmations from "./confirmations.js";
import { decodeComment, decodeComments, decodeHold, decodeRedeemed } from "./decoding.js";
import { Invalid, Misconfigured } from "./errors.js";
import { pause, Transport, type Fetch, type Request } from "./exchange.js";
import type { Action, Comment, Event, Hold, ItemDecision, JsonObject, Kind, OnComment, Outcome, Redeemed, Verdict } from "./holds.js";
import { backoff, now, send, type Log } from "./retries.js";
import { follow, type Following } from "./streams.js";

const DEFAULT_URL = "http://127.0.0.1:8400";
const RETRY_FOR = 30;
const LONG_POLL = 30;
// beyond the long poll, for the way there and back
const LONG_POLL_MARGIN = 15;

export interface HandrailOptions {
  /** Default: `HANDRAIL_URL`, else http://127.0.0.1:8400. */
  readonly url?: string;
  /** Default: `HANDRAIL_TOKEN`. */
  readonly token?: string;
  /** For how many seconds a request is sent again while the server cannot be reached; waiting has no such limit. */
  readonly retryFor?: number;
  /** Other than the platform's own: for a proxy, or a company's certificates. */
  readonly fetch?: Fetch;
  /** Is told of each retry. */
  readonly log?: Log;
}

/** `signal` ends the request or the waiting and nothing else: a hold stays open. */
export interface Signalled {
  readonly signal?: AbortSignal | undefined;
}

export interface Waiting extends Signalled {
  readonly onComment?: OnComment | undefined;
}

/** What a hold may carry in addition to kind, title and action. Durations are in seconds, by the server's clock. */
export interface Opening {
  readonly description?: string | undefined;
  readonly caseId?: string | undefined;
  readonly task?: object | undefined;
  readonly items?: readonly object[] | undefined;
  readonly schema?: unknown;
  readonly evidence?: unknown;
  readonly context?: unknown;
  readonly expiresIn?: number | undefined;
  readonly onExpiry?: "expire" | "reject" | undefined;
  /** People may also respond with words: the hold is then answered, and `responseOf` gives what they said. */
  readonly takesResponse?: boolean | undefined;
  /** Use an approval that nobody has to be asked for at once, as `redeem` does: `redeemed` of the hold says so. */
  readonly redeem?: { readonly digest: string; readonly key: string } | undefined;
  readonly idempotencyKey?: string | undefined;
}

export interface Reviewing extends Signalled {
  readonly digest: string;
  readonly reason?: string | undefined;
  readonly answer?: unknown;
  readonly items?: readonly ItemDecision[] | undefined;
  readonly amendedAction?: Action | undefined;
}

/** Handrail for any JavaScript program. Any number of calls may be under way at once. */
export class Handrail {
  readonly url: string;
  readonly log: Log | undefined;
  readonly #transport: Transport;
  readonly #retryFor: number;
  // the newest comment that was passed on, by hold
  readonly #heard = new Map<string, number>();

  constructor(options: HandrailOptions = {}) {
    this.url = checkedUrl(options.url ?? (environment("HANDRAIL_URL") || DEFAULT_URL));
    this.log = options.log;
    this.#retryFor = options.retryFor ?? RETRY_FOR;
    this.#transport = new Transport(this.url, checkedToken(options.token ?? environment("HANDRAIL_TOKEN")), options.fetch);
  }

  /** A new hold; with an idempotency key that was used before, the hold opened then.
   *
   * A confirmation and an input need no action; without one there is nothing to redeem. Without a key a request that may
   * have reached the server is not repeated, and Unavailable says so (`mayHaveHappened`).
   */
  async open(kind: Kind, title: string, action: Action | null = null, more: Opening & Signalled = {}): Promise<Hold> {
    const key = more.idempotencyKey;
    const body = given({
      ...{ kind, title, action: action && actionOf(action), description: more.description, case_id: more.caseId },
      ...{ task: more.task, items: more.items, schema: more.schema, evidence: more.evidence, context: more.context },
      ...{ expires_in: more.expiresIn, on_expiry: more.onExpiry, redeem: more.redeem },
      // a server from before it was known takes no such field
      ...(more.takesResponse === true ? { takes_response: true } : {}),
    });
    const headers: Record<string, string> = key === undefined ? {} : { "Idempotency-Key": checkedKey(key) };
    const request: Request = { method: "POST", path: "/api/holds", body, headers, repeatable: key !== undefined };
    return decodeHold(await this.#send(request, more.signal));
  }

  /** Opens a hold, as `open` does, and waits, as `wait` does: the decided hold, whatever the decision. */
  async ask(kind: Kind, title: string, action: Action | null = null, more: Opening & Waiting = {}): Promise<Hold> {
    const hold = await this.open(kind, title, action, more);
    return hold.status === "pending" ? this.wait(hold.id, more) : hold;
  }

  /** The hold as it is now. */
  async get(holdId: string, options: Signalled = {}): Promise<Hold> {
    return decodeHold(await this.#send({ method: "GET", path: pathOf(holdId), repeatable: true }, options.signal));
  }

  /** The hold once it is decided. Waits forever by default, through server restarts and network outages.
   *
   * After `timeout` seconds the hold is returned still pending: that decides nothing. Aborting leaves the hold open.
   *
   * `onComment` is called with every comment by anyone but the requester, in order and once each in the life of a client;
   * if it returns a text, that is the reply. Comments that already have a reply are left out, so a program that restarts
   * receives only what it has not answered.
   */
  async wait(holdId: string, options: Waiting & { readonly timeout?: number } = {}): Promise<Hold> {
    const { signal, onComment } = options;
    const deadline = options.timeout === undefined ? Infinity : now() + options.timeout;
    for (let early = 0; ; ) {
      const asked = now();
      const heard = this.#heard.get(holdId) ?? 0;
      const poll = Math.max(0, Math.min(LONG_POLL, deadline - asked));
      const query: Record<string, string> = { timeout: String(Number(poll.toPrecision(6))) };
      if (onComment) query["comments_after"] = String(heard);
      const path = pathOf(holdId, "wait");
      const request: Request = { method: "GET", path, query, repeatable: true, patience: poll + LONG_POLL_MARGIN };
      const terms = { retryFor: deadline - asked, signal, log: this.log };
      const hold = decodeHold(await send(this.#transport, request, terms));
      if (onComment) await this.#hear(hold, holdId, onComment, signal);
      const left = deadline - now();
      if (hold.status !== "pending" || left <= 0) return hold;
      // a server on its way down answers ahead of time: that must not become a hot loop
      early = now() - asked < poll / 2 && heard === (this.#heard.get(holdId) ?? 0) ? early + 1 : 0;
      if (early > 0) await pause(Math.min(backoff(early), left), signal);
    }
  }

  /** One person's review of the revision with this digest. Needs the token of a person who may decide.
   *
   * `answer` goes with the verdict answer (`items` for a batch), `amendedAction` with amend. The first decision wins;
   * later ones throw AlreadyDecided, which says whose it was.
   */
  async review(holdId: string, verdict: Verdict, review: Reviewing): Promise<Hold> {
    const { digest, reason, answer, items, amendedAction, signal } = review;
    const amended_action = amendedAction && actionOf(amendedAction);
    return this.#command(holdId, "reviews", { verdict, digest, reason, answer, items, amended_action }, signal);
  }

  /** Uses the approval for one execution of what has this digest. The same key gets the same answer again.
   *
   * NotApproved and ApprovalVoid mean: wait again. StaleDigest: this is not what was approved.
   */
  async redeem(holdId: string, digest: string, key: string, options: Signalled = {}): Promise<Redeemed> {
    return decodeRedeemed(await this.#send(post(holdId, "redeem", { digest, key }, true), options.signal));
  }

  /** Records what happened when the action ran. The same result again changes nothing. */
  async result(holdId: string, outcome: Outcome, detail?: unknown, options: Signalled = {}): Promise<Hold> {
    return decodeHold(await this.#send(post(holdId, "result", { outcome, detail }, true), options.signal));
  }

  /** Withdraws your own approval, which is possible until it is redeemed. */
  async withdraw(holdId: string, reason?: string, options: Signalled = {}): Promise<Hold> {
    return this.#command(holdId, "withdraw", { reason }, options.signal);
  }

  /** Withdraws the request. */
  async cancel(holdId: string, reason?: string, options: Signalled = {}): Promise<Hold> {
    return this.#command(holdId, "cancel", { reason }, options.signal);
  }

  /** Adds a remark, a question, or a reply to the comment of that id; decides nothing.
   *
   * The same reply to the same comment again changes nothing.
   */
  async comment(holdId: string, text: string, options: Signalled & { readonly replyTo?: number } = {}): Promise<Comment> {
    return decodeComment(await this.#send(said(holdId, text, options.replyTo), options.signal));
  }

  /** The comments on the hold, oldest first; with `after`, only those after the comment with that id. */
  async comments(holdId: string, options: Signalled & { readonly after?: number } = {}): Promise<readonly Comment[]> {
    return decodeComments(await this.#send(commentsAfter(holdId, options.after ?? 0), options.signal));
  }

  /** Events after `after`, and then every new one, forever: across restarts none is missed, none repeated. */
  events(following: Following = {}): AsyncGenerator<Event, never> {
    return follow(this.#transport, following);
  }

  /** A person's yes or no; see `requestConfirmation`. */
  requestConfirmation(request: confirmations.ConfirmationRequest): Promise<confirmations.ConfirmationResult> {
    return confirmations.confirmed(this, request);
  }

  /** One request for many items, and a decision for each; see `requestConfirmations`. */
  requestConfirmations(request: confirmations.BatchRequest): Promise<confirmations.BatchConfirmationResult> {
    return confirmations.confirmedEach(this, request);
  }

  /** A person's answer to one request; see `resolveConfirmation`. */
  resolveConfirmation(requestId: string, approved: boolean, options: confirmations.Resolving = {}): Promise<Hold> {
    return confirmations.resolved(this, requestId, approved, options);
  }

  /** A person's answer to a batch: every item must have its decision. The first answer wins. */
  resolveConfirmations(
    batchId: string,
    decisions: readonly ItemDecision[],
    options: confirmations.Resolving = {},
  ): Promise<Hold> {
    return confirmations.resolvedEach(this, batchId, decisions, options);
  }

  /** Passes on what was said since the last time. */
  async #hear(hold: Hold, holdId: string, onComment: OnComment, signal?: AbortSignal): Promise<void> {
    const terms = { retryFor: Infinity, signal, log: this.log };
    const new_ = commentsAfter(holdId, this.#heard.get(holdId) ?? 0);
    const comments = decodeComments(await send(this.#transport, new_, terms));
    const own = hold.opened_by.id;
    const answered = new Set(comments.filter((one) => one.by.id === own).map((one) => one.reply_to));
    for (const one of comments) {
      if (one.by.id !== own && !answered.has(one.id)) {
        const reply = await onComment(one);
        if (reply) await send(this.#transport, said(holdId, reply, one.id), terms);
      }
      this.#heard.set(holdId, one.id);
    }
  }

  async #command(holdId: string, name: string, fields: Record<string, unknown>, signal?: AbortSignal): Promise<Hold> {
    return decodeHold(await this.#send(post(holdId, name, fields, false), signal));
  }

  async #send(request: Request, signal?: AbortSignal): Promise<unknown> {
    return send(this.#transport, request, { retryFor: this.#retryFor, signal, log: this.log });
  }
}

function post(holdId: string, name: string, fields: Record<string, unknown>, repeatable: boolean): Request {
  return { method: "POST", path: pathOf(holdId, name), body: given(fields), repeatable };
}

function said(holdId: string, text: string, replyTo: number | undefined): Request {
  return post(holdId, "comments", { text, reply_to: replyTo }, replyTo !== undefined);
}

function commentsAfter(holdId: string, after: number): Request {
  return { method: "GET", path: pathOf(holdId, "comments"), query: { after: String(after) }, repeatable: true };
}

function pathOf(holdId: string, ...rest: string[]): string {
  // an id is one step of a path, and "." and ".." are none
  if (!/^[\w-]+$/.test(holdId)) throw new Invalid(`'${holdId}' is not the id of a hold`);
  return ["/api/holds", holdId, ...rest].join("/");
}

/** The fields that are given, checked to be JSON. */
function given(fields: Record<string, unknown>): JsonObject {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(present.map(([name, value]) => [name, plain(value, `\`${name}\``)]));
}

function actionOf(action: Action): JsonObject {
  return given({ name: action.name, args: plainObject(action.args ?? {}, "`args`"), target: action.target });
}

function checkedKey(key: string): string {
  if (!/^[!-~]([ -~]*[!-~])?$/.test(key)) {
    throw new Invalid(`the idempotency key '${key}' must be printable ASCII without spaces around it`);
  }
  return key;
}

function checkedUrl(url: string): string {
  let parts: URL | undefined;
  try {
    parts = new URL(url);
  } catch {
    parts = undefined;
  }
  if (parts?.username || parts?.password) {
    throw new Misconfigured("the address must not contain a password: pass `token` or set HANDRAIL_TOKEN");
  }
  if ((parts?.protocol !== "http:" && parts?.protocol !== "https:") || !/^https?:\/\/[^/]/i.test(url)) {
    throw new Misconfigured(`'${url}' is not an address such as ${DEFAULT_URL}: check \`url\` or HANDRAIL_URL`);
  }
  return url.replace(/\/+$/, "");
}

function checkedToken(token: string | undefined): string {
  if (!token) {
    throw new Misconfigured("no token: pass `token` or set HANDRAIL_TOKEN (`handrail token make` creates one)");
  }
  if (!/^[!-~]([ -~]*[!-~])?$/.test(token)) {
    throw new Misconfigured("the token has invalid characters: check `token` or HANDRAIL_TOKEN");
  }
  return token;
}

/** A variable of the process; a browser has none. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
