/** How much room a row takes, as this person likes it in this browser. */
import { useSyncExternalStore } from "react";

export type Density = "comfortable" | "compact";
const KEY = "handrail.density";
const listeners = new Set<() => void>();

function density(): Density {
  return localStorage.getItem(KEY) === "compact" ? "compact" : "comfortable";
}

export function chooseDensity(chosen: Density): void {
  if (chosen === "compact") localStorage.setItem(KEY, chosen);
  else localStorage.removeItem(KEY);
  for (const changed of listeners) changed();
}

export function useDensity(): Density {
  return useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, density);
}
