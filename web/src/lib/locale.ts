/** The time zone and the language of dates: as the person set them in their account, or as the device has them. */

export interface Chosen {
  zone: string | null;
  language: string | null;
}
let chosen: Chosen = { zone: null, language: null };

/** With what the account says; nothing: as the device has it. */
export function readDatesAs(next: Chosen): void {
  chosen = next;
  forms.clear();
}

function works(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    // another browser of the person's may know more
    return false;
  }
}

export function zone(): string {
  const wanted = chosen.zone;
  if (wanted && works(() => new Intl.DateTimeFormat("en", { timeZone: wanted }))) return wanted;
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function language(): string | undefined {
  const wanted = chosen.language;
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

/** Clock and calendar of the person's zone at that moment, as a field for both has them: "2026-07-01T17:30". */
export function wallTime(at: Date): string {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone: zone(), hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "00";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

/** The moment at which the person's clock shows this. In an hour that a change of clocks leaves out, an hour later. */
export function momentOf(wall: string): Date {
  const wanted = Date.parse(`${wall}Z`);
  let at = wanted;
  // the offset depends on the moment that is sought: it is right after at most two steps
  for (let step = 0; step < 2; step += 1) at += wanted - Date.parse(`${wallTime(new Date(at))}Z`);
  return new Date(at);
}

/** Those that this browser knows. */
export function zones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC")];
}
