/** Problem details (RFC 9457) to errors: by the server's code if a class exists for it, else by status. */

import * as errors from "./errors.js";
import { isAnswer, type Answer, type Fate, type Request } from "./exchange.js";

type Kind = new (message: string, details: errors.Details) => errors.HandrailError;

const BY_CODE: ReadonlyMap<string, Kind> = new Map<string, Kind>(
  [
    errors.AlreadyDecided,
    errors.StaleDigest,
    errors.IdempotencyConflict,
    errors.NotApproved,
    errors.ApprovalVoid,
    errors.AlreadyRedeemed,
    errors.DigestRequired,
  ].map((error) => [error.code, error]),
);
const BY_STATUS: ReadonlyMap<number, Kind> = new Map<number, Kind>([
  [401, errors.Unauthenticated],
  [403, errors.Forbidden],
  [404, errors.NotFound],
  [409, errors.Conflict],
]);

/** The error that an outcome without success means. */
export function errorOf(request: Request, fate: Fate): errors.HandrailError {
  if (isAnswer(fate)) return refusal(request, fate);
  const doubt = fate.sent && !request.repeatable;
  const advice = doubt ? "it may have been carried out: check before you send it again" : "is it running?";
  return new errors.Unavailable(`no answer to ${request.method} ${fate.reason}; ${advice}`, { mayHaveHappened: doubt });
}

/** Seconds that the server asks to wait: a number of them, or until a date. */
export function retryAfter(answer: Answer): number | undefined {
  const value = answer.headers.get("retry-after")?.trim();
  if (!value) return undefined;
  const seconds = /^-?[\d.]+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function refusal(request: Request, answer: Answer): errors.HandrailError {
  const { status } = answer;
  // a browser says 0 of a redirection that is not followed
  if (status < 200 || (status >= 300 && status < 400)) {
    return new errors.UnexpectedAnswer(`the server answered ${status} to ${request.path}; is HANDRAIL_URL right?`);
  }
  const problem = fields(parsed(answer.text));
  const code = typeof problem["code"] === "string" ? problem["code"] : undefined;
  const said = [problem["detail"], problem["title"]].find((text) => typeof text === "string" && text !== "");
  const message = (said as string | undefined) ?? `the server answered ${status} to ${request.path}`;
  const details = { code, data: fields(problem["data"]), retryAfter: retryAfter(answer) };
  if (status === 429) return new errors.RateLimited(message, details);
  if (status >= 500) return new errors.Unavailable(message, { ...details, mayHaveHappened: !request.repeatable });
  const kind = BY_CODE.get(code ?? "") ?? BY_STATUS.get(status) ?? errors.Invalid;
  return new kind(message, details);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fields(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
