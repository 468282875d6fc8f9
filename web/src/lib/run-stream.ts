/** A run's own stream, from its first part on: comes back by itself, with its cursor. A WebSocket, because a browser
 * has few connections for streams of other kinds, and many windows. */
import { useEffect, useReducer, useState } from "react";
import { EMPTY, told, type Delta, type Story } from "@/lib/story";
import type { Told } from "@/api/events.gen";
import type { StreamState } from "@/lib/events";

// what comes together is shown together
const BATCH_MS = 30;
const LONGEST_PAUSE_MS = 5_000;
// closes that coming back would not help: signed out, may not see it, no such run
const FINAL = [4400, 4401, 4403, 4404];

type Message = Detailed | Delta | { type: "stream.ready"; seq: number };

/** A part of a run's story; of a code change with the data of its event, where that was asked for. */
export type Detailed = Told & { data?: unknown };

/** Tells of batches until the returned function is called. */
export function followRun(
  id: string,
  onBatch: (batch: (Detailed | Delta)[]) => void,
  onState: (state: StreamState) => void,
  { data = false } = {},
): () => void {
  let cursor = 0;
  let failures = 0;
  let stopped = false;
  let socket: WebSocket | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let waiting: (Detailed | Delta)[] = [];
  let flushing: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    flushing = undefined;
    const batch = waiting;
    waiting = [];
    onBatch(batch);
  }
  function take(message: Message): void {
    if (message.type === "stream.ready") {
      failures = 0;
      onState("live");
      return;
    }
    if ("seq" in message) cursor = Math.max(cursor, message.seq);
    waiting.push(message);
    flushing ??= setTimeout(flush, BATCH_MS);
  }
  function connect(): void {
    socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/runs/${id}?after=${cursor}${data ? "&data=true" : ""}`);
    socket.onmessage = (event: MessageEvent<string>) => take(JSON.parse(event.data) as Message);
    socket.onclose = (event) => {
      if (stopped || FINAL.includes(event.code)) return;
      failures += 1;
      onState("reconnecting");
      again = setTimeout(connect, Math.min(LONGEST_PAUSE_MS, 250 * 2 ** failures));
    };
  }
  onState("connecting");
  connect();
  return () => {
    stopped = true;
    clearTimeout(again);
    clearTimeout(flushing);
    socket?.close();
  };
}

/** The story so far, as it grows. For one run: another one needs a component of its own. */
export function useStory(id: string): { story: Story; state: StreamState } {
  const [story, tell] = useReducer((known: Story, batch: (Told | Delta)[]) => batch.reduce(told, known), EMPTY);
  const [state, setState] = useState<StreamState>("connecting");
  useEffect(() => followRun(id, tell, setState), [id]);
  return { story, state };
}
