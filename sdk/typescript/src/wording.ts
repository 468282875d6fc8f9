/** What an action will do, in one plain line: the title that people read first.
 *
 * Names and arguments may come from a model, so nothing in them can break the line, hide a part of it or turn it around.
 */

import type { Action } from "./holds.js";

export const LONGEST_TITLE = 160;
const LONGEST_VALUE = 60;
// titles travel in notices; the hold itself shows the whole action to those who may see it
const SECRET = /passw|passphrase|secret|token|credential|api_?key|private_?key|authorization|cookie/i;

/** Such as `Send email: to ann@example.org, subject Hello`. */
export function titleOf(action: Action): string {
  const name = line(action.name.replace(/[_-]+/g, " ")) || "Unnamed action";
  const said = Object.entries(action.args ?? {})
    .map(([key, value]) => `${key.replaceAll("_", " ")} ${SECRET.test(key) ? "…" : shown(value)}`)
    .join(", ");
  const target = action.target ? ` (${action.target})` : "";
  return shortened(line(`${name.charAt(0).toUpperCase()}${name.slice(1)}${said && `: ${said}`}${target}`), LONGEST_TITLE);
}

/** The text on one line, without control and formatting characters, such as those that turn text around. */
export function line(text: string): string {
  return text.replace(/\s+/g, " ").replace(/\p{C}/gu, "").replace(/ +/g, " ").trim();
}

export function shortened(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("").trimEnd()}…`;
}

function shown(value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object") {
    const count = Object.keys(value).length;
    return `(${count} ${count === 1 ? "entry" : "entries"})`;
  }
  // cut before cleaning: a value may be megabytes
  return shortened(line(`${value as string | number}`.slice(0, LONGEST_VALUE * 4)), LONGEST_VALUE) || "(empty)";
}
