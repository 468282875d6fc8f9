/** The server's API: typed by its own document, with every error as a `Problem`. */
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "@/api/schema.gen";
import { noteServerTime } from "@/lib/clock";
import { TEXTS } from "@/lib/texts";

const WORDS = TEXTS.api;

export type Schemas = components["schemas"];

/** An error that the server (or the way to it) gave, with its stable code. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly data: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = "Problem";
  }

  get unreachable(): boolean {
    return this.status === 0;
  }
}

// kept in memory alone: whoever reads this machine's disk must not find it
let csrfToken: string | null = null;

export function rememberCsrf(token: string | null): void {
  csrfToken = token;
}

const frame: Middleware = {
  onRequest({ request }) {
    if (csrfToken && request.method !== "GET") request.headers.set("X-CSRF-Token", csrfToken);
    return request;
  },
  async onResponse({ response }) {
    noteServerTime(response.headers.get("date"));
    if (!response.ok) throw await problemOf(response);
  },
  onError() {
    return new Problem(0, "unreachable", WORDS.cannotReachTheServerYour);
  },
};

export async function problemOf(response: Response): Promise<Problem> {
  try {
    const body = (await response.json()) as Schemas["Problem"];
    return new Problem(response.status, body.code, body.detail, body.data ?? {});
  } catch {
    return new Problem(response.status, "error", WORDS.theServerAnsweredTryAgain(response.status));
  }
}

export const client = createClient<paths>({
  // looked up at each call, and relative to the page: tests put their own in place
  fetch: (request) => globalThis.fetch(request),
  ...(typeof location === "undefined" ? {} : { baseUrl: location.origin }),
});
client.use(frame);

/** What the server answered; `Problem` is thrown where it refused. */
export async function answered<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

export function problemFrom(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem(0, "error", error instanceof Error ? error.message : String(error));
}
