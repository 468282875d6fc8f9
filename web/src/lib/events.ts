/** The event stream: followed from a cursor, for ever, through restarts of the server and sleep of this machine. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { Entry } from "@/api/events.gen";
import { problemOf, type Problem } from "@/lib/api";

export type { Entry };

export type StreamState = "connecting" | "live" | "reconnecting";

export interface Listener {
  onEntry: (entry: Entry) => void;
  onState: (state: StreamState) => void;
  /** The stream stands again, or began without a cursor: what was fetched before may be old. */
  onGap: () => void;
  /** The server no longer knows who we are. */
  onSignedOut: () => void;
}

// the server is never silent for longer than 15 s
const SILENCE_MS = 40_000;
const LONGEST_PAUSE_MS = 5_000;

/** Follows from a cursor, or from now on, until told to stop. */
export async function keepFollowing(listener: Listener, stopped: AbortSignal, from: number | null): Promise<void> {
  let cursor = from === null ? null : String(from);
  let failures = 0;
  listener.onState("connecting");
  while (!stopped.aborted) {
    try {
      for await (const message of stream(cursor, stopped, () => {
        const missed = cursor === null || failures > 0;
        failures = 0;
        listener.onState("live");
        if (missed) listener.onGap();
      })) {
        cursor = message.id ?? cursor;
        if (message.data) listener.onEntry(JSON.parse(message.data) as Entry);
      }
    } catch (error) {
      if (isSignedOut(error)) return listener.onSignedOut();
    }
    failures += 1;
    listener.onState("reconnecting");
    await pause(Math.min(LONGEST_PAUSE_MS, 250 * 2 ** failures), stopped);
  }
}

interface Message {
  id: string | undefined;
  data: string;
}

async function* stream(cursor: string | null, stopped: AbortSignal, opened: () => void): AsyncGenerator<Message> {
  const silent = new AbortController();
  let watch = setTimeout(() => silent.abort(), SILENCE_MS);
  const heard = () => {
    clearTimeout(watch);
    watch = setTimeout(() => silent.abort(), SILENCE_MS);
  };
  try {
    const response = await fetch(`/api/events${cursor === null ? "" : `?after=${cursor}`}`, {
      headers: { Accept: "text/event-stream" },
      signal: AbortSignal.any([stopped, silent.signal]),
    });
    if (!response.ok || !response.body) throw await problemOf(response);
    opened();
    const noted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        heard();
        controller.enqueue(chunk);
      },
    });
    const messages = response.body
      .pipeThrough(noted)
      .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (let next = await messages.read(); !next.done; next = await messages.read()) {
      yield { id: next.value.id, data: next.value.data };
    }
  } finally {
    clearTimeout(watch);
  }
}

function isSignedOut(error: unknown): boolean {
  return (error as Partial<Problem>).status === 401;
}

/** Ends early when the network is back or somebody looks at the page again. */
function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      document.removeEventListener("visibilitychange", done);
      stopped.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
    document.addEventListener("visibilitychange", done);
    stopped.addEventListener("abort", done);
  });
}
