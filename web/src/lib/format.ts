/** Words for people: times, lengths, texts of others. */
import { dates, offset } from "@/lib/locale";
import { TEXTS } from "@/lib/texts";

const WORDS = TEXTS.format;

const UNITS: [name: string, ms: number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
];
// below this many of a unit, the next smaller one says something too
const COARSE = 10;

/** A length in its largest unit, and in the next one where the first alone says little: "9 min 20 s", "3 d". */
export function span(ms: number): string {
  const length = Math.abs(ms);
  for (const [index, [unit, size]] of UNITS.entries()) {
    const count = Math.floor(length / size);
    if (count === 0) continue;
    const next = UNITS[index + 1];
    const rest = next ? Math.floor((length % size) / next[1]) : 0;
    return next && count < COARSE && rest > 0 ? `${count} ${unit} ${rest} ${next[0]}` : `${count} ${unit}`;
  }
  return "0 s";
}

/** The same in one unit, for narrow columns. */
export function briefSpan(ms: number): string {
  return span(ms).split(" ").slice(0, 2).join(" ");
}

export function ago(at: string, now: number): string {
  const past = now - Date.parse(at);
  return past < 1500 ? WORDS.justNow : WORDS.ago(briefSpan(past));
}

/** "expires in 12 min, then rejected"; nothing where there is no deadline. */
export function deadline(hold: { expires_at: string | null; on_expiry: string }, now: number): string | null {
  if (hold.expires_at === null) return null;
  const left = Date.parse(hold.expires_at) - now;
  const outcome = hold.on_expiry === "reject" ? WORDS.thenRejected : "";
  return left > 0 ? WORDS.expiresIn(span(left), outcome) : WORDS.expiringNow(outcome);
}

/** The exact moment in the person's time zone, with its offset. */
export function exact(at: string): string {
  const date = new Date(at);
  return `${dates({ dateStyle: "medium", timeStyle: "medium" }).format(date)} (${offset(date)})`;
}

// control and format characters could hide text or turn the direction of reading
const PICTURE = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]`;
// scripts whose words are spelled with joiners
const JOINING = String.raw`[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{M}]`;
// within one emoji, or within a word of such a script, a joiner is spelling
const SPELLING = String.raw`(?<=${PICTURE})\u200D(?=\p{Extended_Pictographic})|(?<=${JOINING})[\u200C\u200D](?=${JOINING})`;
const DECEIVING = new RegExp(String.raw`(?![\n\t]|${SPELLING})[\p{Cc}\p{Cf}\p{Cs}]`, "gu");

/** Text of others without what could make it read as something else. */
export function plain(text: string): string {
  return text.replace(DECEIVING, "\uFFFD");
}

/** The same on one line. */
export function line(text: string): string {
  return plain(text).replace(/\s+/g, " ").trim();
}

const LONGEST_VALUE = 60;

/** A JSON value on one line, cut where it is long. */
export function value(thing: unknown): string {
  const simple = Array.isArray(thing) && thing.length > 0 && thing.every((one) => typeof one === "string");
  const text = line(typeof thing === "string" ? thing : simple ? thing.join(", ") : JSON.stringify(thing));
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** "a, b or c". */
export function listed(names: readonly string[], last: "and" | "or"): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1) ?? ""}`;
}

/** A role or action name as words: `team_lead` → "team lead", `cto` → "CTO". */
export function words(name: string): string {
  return line(name).replaceAll("_", " ").replace(/^cto$/, "CTO");
}

/** Roles of which any will do: "a CTO or tech lead". */
export function oneOf(roles: readonly string[]): string {
  const names = listed([...roles].sort().map(words), "or");
  return names && `${/^[aeiou]/i.test(names) ? "an" : "a"} ${names}`;
}

/** A part in per cent; never none or all where it is only nearly so. */
export function share(part: number, all: number): string {
  if (all === 0) return "–";
  const percent = Math.round((100 * part) / all);
  if (percent === 0 && part > 0) return "under 1 %";
  if (percent === 100 && part < all) return "over 99 %";
  return `${percent} %`;
}
