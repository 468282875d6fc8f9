/** The time by the server's clock, which is the one that deadlines go by, and ticks to count down with. */
import { useCallback, useSyncExternalStore } from "react";

// a `Date` header is cut to the second: what is nearer than this is the same time
const SAME_MS = 2_000;
let ahead = 0;

/** Called with each answer's `Date`: this machine's clock may be wrong. */
export function noteServerTime(header: string | null): void {
  const at = header ? Date.parse(header) : Number.NaN;
  if (!Number.isNaN(at)) {
    const difference = at - Date.now();
    ahead = Math.abs(difference) < SAME_MS ? 0 : difference;
  }
}

export function serverNow(): number {
  return Date.now() + ahead;
}

// one timer for each interval, however many look at the clock
const tickers = new Map<number, { timer: ReturnType<typeof setInterval>; told: Set<() => void> }>();

function eachTick(interval: number, changed: () => void): () => void {
  let ticker = tickers.get(interval);
  if (!ticker) {
    const told = new Set<() => void>();
    ticker = { told, timer: setInterval(() => told.forEach((tell) => tell()), interval) };
    tickers.set(interval, ticker);
  }
  const { told, timer } = ticker;
  told.add(changed);
  return () => {
    told.delete(changed);
    if (told.size > 0) return;
    clearInterval(timer);
    tickers.delete(interval);
  };
}

/** What is read from the clock, again after each interval. Nothing is rendered again where that is the same. */
export function useClock<T extends string | number>(read: (now: number) => T, interval = 1000): T {
  const subscribe = useCallback((changed: () => void) => eachTick(interval, changed), [interval]);
  return useSyncExternalStore(subscribe, () => read(Math.floor(serverNow() / interval) * interval));
}

/** Now, again after each interval: all users of one interval tick together. */
export function useNow(interval = 1000): number {
  return useClock((now) => now, interval);
}
