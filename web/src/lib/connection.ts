/** How the event stream stands, for all who show it. */
import { useSyncExternalStore } from "react";
import type { StreamState } from "@/lib/events";

let state: StreamState = "connecting";
const listeners = new Set<() => void>();

export function setConnection(next: StreamState): void {
  state = next;
  for (const changed of listeners) changed();
}

export function useConnection(): StreamState {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => state,
  );
}
