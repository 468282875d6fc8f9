/** One event stream for all tabs of a browser: one tab holds it and tells the others; when it closes, another takes over.
 *
 * A browser opens at most six connections to a server that speaks HTTP/1.1: a stream for each tab would use them up.
 */
import { keepFollowing, type Entry, type Listener, type StreamState } from "@/lib/events";

const NAME = "handrail.events";

type Told =
  | { entry: Entry }
  | { state: StreamState }
  | { gap: true }
  /** How far the stream was told, in answer to a new tab: one that began earlier has missed something. */
  | { told: number }
  | { signedOut: true }
  /** A new tab asks how things stand. */
  | { asks: true };

/** Follows from a cursor until the returned function is called. */
export function follow(listener: Listener, from: number): () => void {
  const stop = new AbortController();
  // the typings promise it always; browsers have it on https and on this machine alone
  const locks = navigator.locks as LockManager | undefined;
  if (locks) void share(listener, locks, stop.signal, from);
  else void keepFollowing(listener, stop.signal, from);
  return () => stop.abort();
}

async function share(listener: Listener, locks: LockManager, stopped: AbortSignal, from: number): Promise<void> {
  const channel = new BroadcastChannel(NAME);
  const tell = (told: Told) => channel.postMessage(told);
  let seen = from;
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if ("entry" in data) {
      seen = data.entry.seq;
      listener.onEntry(data.entry);
    } else if ("state" in data) listener.onState(data.state);
    else if ("gap" in data) listener.onGap();
    else if ("told" in data && data.told > seen) {
      seen = data.told;
      listener.onGap();
    }
    else if ("signedOut" in data) listener.onSignedOut();
  };
  tell({ asks: true });
  try {
    await locks.request(NAME, { signal: stopped }, () => keepFollowing(leading(listener, channel, tell, seen), stopped, seen));
  } catch {
    // stopped while another tab held the stream
  }
  channel.close();
}

/** What the tab that holds the stream hears, the others hear too. */
function leading(listener: Listener, channel: BroadcastChannel, tell: (told: Told) => void, from: number): Listener {
  let state: StreamState = "connecting";
  let told = from;
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (!("asks" in data)) return;
    tell({ state });
    tell({ told });
  };
  return {
    onEntry: (entry) => {
      told = entry.seq;
      listener.onEntry(entry);
      tell({ entry });
    },
    onState: (next) => {
      state = next;
      listener.onState(next);
      tell({ state: next });
    },
    onGap: () => {
      listener.onGap();
      tell({ gap: true });
    },
    onSignedOut: () => {
      listener.onSignedOut();
      tell({ signedOut: true });
    },
  };
}
