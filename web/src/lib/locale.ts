/** The time zone and the language of dates: as the person set them on this device, or as the device has them. */
import { useSyncExternalStore } from "react";

const KEYS = { zone: "handrail.zone", language: "handrail.dates" } as const;
type Choice = keyof typeof KEYS;
const listeners = new Set<() => void>();

function chosen(which: Choice): string | null {
  return typeof localStorage === "undefined" ? null : localStorage.getItem(KEYS[which]);
}

/** Empty: as the device has it. */
export function choose(which: Choice, value: string): void {
  if (value === "") localStorage.removeItem(KEYS[which]);
  else localStorage.setItem(KEYS[which], value);
  forms.clear();
  for (const changed of listeners) changed();
}

export function useChosen(which: Choice): string {
  return useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, () => chosen(which) ?? "");
}

function works(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    // what was stored is not known to this browser
    return false;
  }
}

export function zone(): string {
  const wanted = chosen("zone");
  if (wanted && works(() => new Intl.DateTimeFormat("en", { timeZone: wanted }))) return wanted;
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function language(): string | undefined {
  const wanted = chosen("language");
  return wanted && works(() => new Intl.DateTimeFormat(wanted)) ? wanted : undefined;
}

const forms = new Map<string, Intl.DateTimeFormat>();

/** Dates as the person reads them; each form is made once. */
export function dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = forms.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(language(), { timeZone: zone(), ...options });
  forms.set(key, made);
  return made;
}

/** "UTC+01:00" at that moment in the person's zone. */
export function offset(at: Date): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone(), timeZoneName: "longOffset" }).formatToParts(at);
  const name = parts.find((part) => part.type === "timeZoneName")?.value.replace("GMT", "") ?? "";
  return `UTC${(name || "+00:00").replace("-", "−")}`;
}

/** Those that this browser knows. */
export function zones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC")];
}
