/** The search part of an address: what a person typed there comes back as it was typed. */
import { parseSearchWith, stringifySearchWith } from "@tanstack/react-router";

/** A number only where it is written as numbers are: 12e45678 and 007 are words. */
function parsed(value: string): unknown {
  const found: unknown = JSON.parse(value);
  if (typeof found === "number" && String(found) !== value) throw new SyntaxError("not a number as numbers are written");
  return found;
}

export const parseSearch = parseSearchWith(parsed);
export const stringifySearch = stringifySearchWith(JSON.stringify, parsed);

/** Words that somebody may search for; digits are words, too. */
export function text(given: unknown): string | undefined {
  return (typeof given === "string" || typeof given === "number") && given !== "" ? String(given) : undefined;
}
