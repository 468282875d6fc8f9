/** When a request is sent again, and after how long.
 *
 * A request that surely was not carried out (no connection, 429) is always sent again. One that may have been is sent
 * again only if repeating it does no harm: a hold opened without an idempotency key could otherwise open twice.
 */

import { isAnswer, json, pause, succeeded, type Fate, type Request, type Transport } from "./exchange.js";
import { errorOf, retryAfter } from "./problems.js";

const FIRST_DELAY = 0.2;
const LONGEST_DELAY = 5;

export type Log = (message: string) => void;

/** For how long a request is sent again, what stops it, and who is told. */
export interface Terms {
  readonly retryFor: number;
  readonly signal?: AbortSignal | undefined;
  readonly log?: Log | undefined;
}

/** Seconds on a clock that nobody sets. */
export function now(): number {
  return performance.now() / 1000;
}

/** Seconds before attempt number `attempt` + 1: doubling from 0.2 to 5 s, half of it by chance.
 *
 * The chance spreads out programs that lost the same server at the same moment.
 */
export function backoff(attempt: number): number {
  const whole = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.min(attempt, 16));
  return whole / 2 + (Math.random() * whole) / 2;
}

/** Seconds until the request is sent again; undefined if it must not be, or that would not help. */
export function delay(request: Request, fate: Fate, attempt: number): number | undefined {
  if (!isAnswer(fate)) return request.repeatable || !fate.sent ? backoff(attempt) : undefined;
  if (fate.status === 429 || (fate.status >= 500 && request.repeatable)) {
    return (retryAfter(fate) ?? 0) + backoff(attempt);
  }
  return undefined;
}

/** The JSON of the answer. Sends again for `retryFor` seconds if that is right, then throws what came last. */
export async function send(transport: Transport, request: Request, terms: Terms): Promise<unknown> {
  const deadline = now() + terms.retryFor;
  for (let attempt = 0; ; attempt++) {
    const fate = await transport.exchange(request, terms.signal);
    if (isAnswer(fate) && succeeded(fate)) return json(fate);
    const error = errorOf(request, fate);
    const seconds = delay(request, fate, attempt);
    if (seconds === undefined || now() + seconds > deadline) throw error;
    terms.log?.(`${error.message}; trying again in ${seconds.toFixed(1)} s`);
    await pause(seconds, terms.signal);
  }
}
