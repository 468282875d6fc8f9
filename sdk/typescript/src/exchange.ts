/** One request over HTTP, and what became of it. */

import { UnexpectedAnswer } from "./errors.js";

/** `repeatable`: sending it twice does no more than sending it once. `patience`: seconds without an answer. */
export interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly repeatable: boolean;
  readonly patience?: number;
}

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** No answer. `sent`: the request may have reached the server. */
export interface Lost {
  readonly reason: string;
  readonly sent: boolean;
}

export type Fate = Answer | Lost;

/** Other than the platform's own `fetch`: for a proxy, or a company's certificates. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const PATIENCE = 30;
// a longer one would overflow, and a timer that overflows fires at once
const LONGEST_TIMER = 2 ** 31 - 1;
// what a connection fails with before a request is sent over it
const UNSENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EPROTO|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED_CERT\w*)$/;

export function isAnswer(fate: Fate): fate is Answer {
  return "status" in fate;
}

export function succeeded(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** The JSON of an answer; undefined if it is empty. */
export function json(answer: Answer): unknown {
  if (answer.text === "") return undefined;
  try {
    return JSON.parse(answer.text) as unknown;
  } catch {
    throw new UnexpectedAnswer(`the server answered ${answer.status} without JSON; is HANDRAIL_URL a Handrail server?`);
  }
}

/** Returns after that many seconds; throws the signal's reason if it is aborted first. */
export async function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds(seconds));
    signal?.addEventListener("abort", end);
  });
}

/** Sends requests to one server, as the owner of one token. */
export class Transport {
  readonly #token: string;
  readonly #fetch: Fetch;

  constructor(readonly url: string, token: string, fetch?: Fetch) {
    this.#token = token;
    // looked up at each call, because a browser's own must be called as it stands
    this.#fetch = fetch ?? ((to, init) => globalThis.fetch(to, init));
  }

  async exchange(request: Request, signal?: AbortSignal): Promise<Fate> {
    const patience = new Patience(request.patience ?? PATIENCE, signal);
    try {
      const response = await this.#fetch(this.#address(request), this.#init(request, patience.signal));
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      return this.#lost(error);
    } finally {
      patience.end();
    }
  }

  /** Passes the chunks of an answer on as they come. What became of it in the end is returned. */
  async *stream(request: Request, signal?: AbortSignal): AsyncGenerator<Uint8Array, Fate> {
    const patience = new Patience(request.patience ?? PATIENCE, signal);
    try {
      const response = await this.#fetch(this.#address(request), this.#init(request, patience.signal));
      const answer = { status: response.status, headers: response.headers };
      if (!response.ok || response.body === null) return { ...answer, text: await response.text() };
      // not `for await`, which browsers do not all have for streams
      const reader = response.body.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        patience.renew();
        yield read.value;
      }
      return { ...answer, text: "" };
    } catch (error) {
      signal?.throwIfAborted();
      return this.#lost(error);
    } finally {
      patience.end();
    }
  }

  #address(request: Request): string {
    const query = new URLSearchParams(request.query).toString();
    return `${this.url}${request.path}${query && `?${query}`}`;
  }

  #init(request: Request, signal: AbortSignal): RequestInit {
    const headers: Record<string, string> = { ...request.headers, Authorization: `Bearer ${this.#token}` };
    if (request.body === undefined) return { method: request.method, headers, signal, ...HABITS };
    headers["Content-Type"] = "application/json";
    return { method: request.method, headers, signal, body: JSON.stringify(request.body), ...HABITS };
  }

  #lost(error: unknown): Lost {
    const [code, message] = cause(error);
    return { reason: `${this.url} (${code}: ${message})`, sent: !UNSENT.test(code) };
  }
}

// the token says who asks, and it belongs to this address alone
const HABITS: RequestInit = { redirect: "manual", credentials: "omit", cache: "no-store" };

/** Aborts after so many seconds, or with the caller's own signal; `end` lets go of both. */
class Patience {
  readonly #controller = new AbortController();
  readonly #give = () => this.#controller.abort(this.caller?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly seconds: number,
    readonly caller?: AbortSignal,
  ) {
    caller?.throwIfAborted();
    caller?.addEventListener("abort", this.#give);
    this.renew();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  renew(): void {
    clearTimeout(this.#timer);
    const late = new DOMException(`no answer for ${this.seconds} s`, "TimeoutError");
    this.#timer = setTimeout(() => this.#controller.abort(late), milliseconds(this.seconds));
  }

  /** Also ends what is still under way, such as a stream that nobody reads on. */
  end(): void {
    clearTimeout(this.#timer);
    this.caller?.removeEventListener("abort", this.#give);
    this.#controller.abort();
  }
}

function milliseconds(seconds: number): number {
  return Math.min(Math.max(0, seconds) * 1000, LONGEST_TIMER);
}

/** The innermost code and message: `fetch` wraps what really happened. */
function cause(error: unknown): [code: string, message: string] {
  let found: unknown = error;
  while (found instanceof Error && found.cause instanceof Error) found = found.cause;
  if (!(found instanceof Error)) return ["Error", String(found)];
  const code = (found as { code?: unknown }).code;
  const several = found instanceof AggregateError ? found.errors.map(String).join("; ") : "";
  return [typeof code === "string" ? code : found.name, found.message || several];
}
