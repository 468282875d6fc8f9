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

/** Now, again after each interval: all users of one interval tick together. */
export function useNow(interval = 1000): number {
  const subscribe = useCallback(
    (changed: () => void) => {
      const timer = setInterval(changed, interval);
      return () => clearInterval(timer);
    },
    [interval],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(serverNow() / interval) * interval);
}
