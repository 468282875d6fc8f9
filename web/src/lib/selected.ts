/** How many holds are selected: while some are, the keys that decide mean those and not the one that is open. */
import { useSyncExternalStore } from "react";

let count = 0;
const listeners = new Set<() => void>();

export function setSelected(now: number): void {
  if (now === count) return;
  count = now;
  for (const listener of listeners) listener();
}

export function useSelected(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => count,
  );
}
