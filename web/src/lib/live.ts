/** Event → cache: who wants to know of which events, told in batches. */
import type { QueryClient } from "@tanstack/react-query";
import type { Entry } from "@/lib/events";

/** What to do with a batch of events of the types that begin with a prefix ("hold."). */
export type LiveMap = Record<string, (entries: Entry[], queries: QueryClient) => void | Promise<void>>;

// an event is handled at once; those that come within this time after it, together
const BATCH_MS = 30;

/** Takes entries one by one and gives them to the maps in batches. */
export function dispatcher(maps: LiveMap[], queries: QueryClient): (entry: Entry) => void {
  let waiting: Entry[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flushed = Number.NEGATIVE_INFINITY;

  function flush(): void {
    const batch = waiting;
    waiting = [];
    timer = undefined;
    flushed = performance.now();
    for (const map of maps) {
      for (const [prefix, handle] of Object.entries(map)) {
        const meant = batch.filter((entry) => entry.type.startsWith(prefix));
        if (meant.length > 0) void handle(meant, queries);
      }
    }
  }

  return (entry) => {
    waiting.push(entry);
    timer ??= setTimeout(flush, Math.max(0, flushed + BATCH_MS - performance.now()));
  };
}
