/** Light, dark, or as the system has it. `public/theme.js` applies the same choice before the first paint. */
import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark" | "system";
const KEY = "handrail.theme";
const system = () => matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

export function theme(): Theme {
  const chosen = localStorage.getItem(KEY);
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function chooseTheme(chosen: Theme): void {
  if (chosen === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  apply();
  for (const changed of listeners) changed();
}

function apply(): void {
  const dark = theme() === "dark" || (theme() === "system" && system().matches);
  document.documentElement.classList.toggle("dark", dark);
}

export function followSystemTheme(): void {
  system().addEventListener("change", apply);
}

export function useTheme(): Theme {
  return useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, theme);
}
