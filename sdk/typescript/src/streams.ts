/** The event feed as a client follows it: where to continue after a lost connection, and when. */

import { decodeEvent } from "./decoding.js";
import { UnexpectedAnswer } from "./errors.js";
import { isAnswer, pause, succeeded, type Answer, type Request, type Transport } from "./exchange.js";
import type { Event } from "./holds.js";
import { errorOf } from "./problems.js";
import { backoff, delay } from "./retries.js";
import { Parser } from "./sse.js";

// the server's heartbeats come far more often; silence for so long is a dead connection
const SILENCE = 60;

/** Which events; without `after` (a `seq`) those that happen from now on. */
export interface Following {
  readonly hold?: string;
  readonly run?: string;
  readonly case?: string;
  readonly kind?: string;
  readonly after?: number;
  readonly signal?: AbortSignal;
}

/** Events, and then every new one, forever: across restarts none is missed, none repeated. */
export async function* follow(transport: Transport, following: Following): AsyncGenerator<Event, never> {
  const { after, signal, ...filters } = following;
  let lastId = after === undefined ? "" : String(after);
  // oxlint-disable-next-line no-useless-assignment -- the next turn reads it
  for (let attempt = 0; ; attempt++) {
    const request = requestAfter(lastId, filters);
    const parser = new Parser(lastId);
    const chunks = transport.stream(request, signal);
    let chunk = await chunks.next();
    try {
      for (; !chunk.done; chunk = await chunks.next()) {
        for (const message of parser.feed(chunk.value)) {
          attempt = 0;
          // kept before it is passed on: who stops reading has read it
          lastId = parser.lastId;
          yield decodeEvent(parsed(message));
        }
        lastId = parser.lastId;
      }
    } finally {
      // of a reader who stops in the middle
      if (!chunk.done) await chunks.return({ reason: "", sent: true });
    }
    const fate = chunk.value;
    if (isAnswer(fate) && succeeded(fate)) checkType(fate);
    const seconds = isAnswer(fate) && succeeded(fate) ? backoff(attempt) : delay(request, fate, attempt);
    if (seconds === undefined) throw errorOf(request, fate);
    await pause(seconds, signal);
  }
}

function requestAfter(lastId: string, query: Readonly<Record<string, string>>): Request {
  const headers: Record<string, string> = { Accept: "text/event-stream" };
  if (lastId !== "") headers["Last-Event-ID"] = lastId;
  return { method: "GET", path: "/api/events", query, headers, repeatable: true, patience: SILENCE };
}

function checkType(answer: Answer): void {
  const kind = answer.headers.get("content-type") ?? "nothing";
  if (!kind.startsWith("text/event-stream")) {
    throw new UnexpectedAnswer(`the server answered with ${kind}, not with events; is HANDRAIL_URL a Handrail server?`);
  }
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message) as unknown;
  } catch {
    throw new UnexpectedAnswer("an event is not JSON; is HANDRAIL_URL a Handrail server?");
  }
}
