/** Every error the SDK throws on purpose: one root with `code`, `message` and `data`.
 *
 * What the server refuses comes with the server's own code and message; a separate class exists if callers act on it.
 */

import { responseOf, type Decision, type Hold, type Result, type Who } from "./holds.js";

export interface Details {
  readonly code?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** Root of all errors that are meant. */
export class HandrailError extends Error {
  static readonly code: string = "error";
  override readonly name: string = "HandrailError";
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(message: string, details: Details = {}) {
    super(message);
    this.code = details.code ?? (this.constructor as typeof HandrailError).code;
    this.data = details.data ?? {};
  }
}

/** The address or token is missing or malformed. */
export class Misconfigured extends HandrailError {
  static override readonly code: string = "misconfigured";
  override readonly name: string = "Misconfigured";
}

/** A value cannot be shown to people and bound to their decision, because it is not JSON. */
export class NotJson extends HandrailError {
  static override readonly code: string = "not_json";
  override readonly name: string = "NotJson";
}

/** The response is not from a Handrail server: check `HANDRAIL_URL`. */
export class UnexpectedAnswer extends HandrailError {
  static override readonly code: string = "unexpected_answer";
  override readonly name: string = "UnexpectedAnswer";
}

/** The server cannot be reached right now. `mayHaveHappened`: the request may have been carried out. */
export class Unavailable extends HandrailError {
  static override readonly code: string = "unavailable";
  override readonly name: string = "Unavailable";
  readonly mayHaveHappened: boolean;
  readonly retryAfter: number | undefined;

  constructor(message: string, details: Details & { mayHaveHappened: boolean; retryAfter?: number | undefined }) {
    super(message, details);
    this.mayHaveHappened = details.mayHaveHappened;
    this.retryAfter = details.retryAfter;
  }
}

/** Too many requests. `retryAfter`: seconds that the server asks to wait. */
export class RateLimited extends HandrailError {
  static override readonly code: string = "rate_limited";
  override readonly name: string = "RateLimited";
  readonly retryAfter: number | undefined;

  constructor(message: string, details: Details & { retryAfter?: number | undefined } = {}) {
    super(message, details);
    this.retryAfter = details.retryAfter;
  }
}

// What the server refuses

/** The request is not valid; `code` and message say why. */
export class Invalid extends HandrailError {
  static override readonly code: string = "invalid";
  override readonly name: string = "Invalid";
}

/** The hold has been amended since it opened: send the digest of the revision you saw. */
export class DigestRequired extends Invalid {
  static override readonly code: string = "digest_required";
  override readonly name: string = "DigestRequired";
}

/** The token is unknown, expired or revoked. */
export class Unauthenticated extends HandrailError {
  static override readonly code: string = "unauthenticated";
  override readonly name: string = "Unauthenticated";
}

/** This principal may not do that. */
export class Forbidden extends HandrailError {
  static override readonly code: string = "forbidden";
  override readonly name: string = "Forbidden";
}

/** Not found, or this principal may not see it. */
export class NotFound extends HandrailError {
  static override readonly code: string = "not_found";
  override readonly name: string = "NotFound";
}

/** The request conflicts with the current state. */
export class Conflict extends HandrailError {
  static override readonly code: string = "conflict";
  override readonly name: string = "Conflict";
}

/** Someone else, or the clock, decided first. */
export class AlreadyDecided extends Conflict {
  static override readonly code: string = "already_decided";
  override readonly name: string = "AlreadyDecided";

  /** What was decided: approved, rejected, answered, expired or cancelled. */
  get outcome(): string | undefined {
    return this.data["outcome"] as string | undefined;
  }

  get decidedAt(): string | undefined {
    return this.data["decided_at"] as string | undefined;
  }

  /** Who decided; undefined if the policy or the clock did. */
  get decidedBy(): Who | undefined {
    return (this.data["decided_by"] as Who | null | undefined) ?? undefined;
  }
}

/** The digest is not that of the hold's current revision. */
export class StaleDigest extends Conflict {
  static override readonly code: string = "stale_digest";
  override readonly name: string = "StaleDigest";
}

/** The idempotency key was already used for another question. */
export class IdempotencyConflict extends Conflict {
  static override readonly code: string = "idempotency_conflict";
  override readonly name: string = "IdempotencyConflict";
}

/** Only an approved hold can be redeemed; its approval may have been withdrawn. */
export class NotApproved extends Conflict {
  static override readonly code: string = "not_approved";
  override readonly name: string = "NotApproved";
}

/** The policy now requires more than was given; the hold is pending again. */
export class ApprovalVoid extends Conflict {
  static override readonly code: string = "approval_void";
  override readonly name: string = "ApprovalVoid";
}

/** The approval was already used with another key. */
export class AlreadyRedeemed extends Conflict {
  static override readonly code: string = "already_redeemed";
  override readonly name: string = "AlreadyRedeemed";
}

// What a gate refuses; the function has not run

/** People, the policy or the clock said no, or the question was cancelled. `decision` and `reason` say why. */
export class NotAllowed extends HandrailError {
  static override readonly code: string = "not_allowed";
  override readonly name: string = "NotAllowed";
  readonly hold: Hold;

  constructor(hold: Hold) {
    const reason = responseOf(hold) ?? hold.decision?.reason;
    super(`'${hold.title}' was ${hold.status}${reason ? `: ${reason}` : ""}`, {
      data: { hold_id: hold.id, status: hold.status },
    });
    this.hold = hold;
  }

  get decision(): Decision | null {
    return this.hold.decision;
  }

  get reason(): string | null {
    return this.hold.decision?.reason ?? null;
  }

  /** What a person said in place of yes or no. */
  get response(): string | null {
    return responseOf(this.hold);
  }
}

/** What is about to run is not what was approved. It does not run. */
export class ActionChanged extends HandrailError {
  static override readonly code: string = "action_changed";
  override readonly name: string = "ActionChanged";
}

/** The approval was used by an earlier attempt that left no result: the action may have happened.
 *
 * Check whether it did. Declare the function `idempotent: true` if running it again does no harm.
 */
export class MayHaveRun extends HandrailError {
  static override readonly code: string = "may_have_run";
  override readonly name: string = "MayHaveRun";
  readonly hold: Hold;

  constructor(message: string, hold: Hold) {
    super(message, { data: { hold_id: hold.id } });
    this.hold = hold;
  }
}

/** The approval was used by an earlier attempt, and `result` says how it ended. */
export class AlreadyRan extends MayHaveRun {
  static override readonly code: string = "already_ran";
  override readonly name: string = "AlreadyRan";

  get result(): Result | null {
    return this.hold.result;
  }
}
