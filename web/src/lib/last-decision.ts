/** What the person last decided in this tab: the one thing that "undo" means, wherever they have gone since. */
import { useSyncExternalStore } from "react";
import type { Review } from "@/lib/reviewing";

export interface LastDecision {
  verdict: Review["verdict"];
  /** Several where they were decided together. */
  holds: { id: string; title: string }[];
  takenBack?: true;
}

let last: LastDecision | null = null;
const listeners = new Set<() => void>();

export function noteDecision(made: LastDecision): void {
  last = made;
  for (const changed of listeners) changed();
}

export function useLastDecision(): LastDecision | null {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => last,
  );
}
