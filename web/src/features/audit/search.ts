/** Which entries, as the search part of the page's address. */
import { text } from "@/lib/address";

const NAMES = ["hold", "run", "type", "text", "actor", "agent", "action", "since", "until"] as const;
export type AuditFilters = Partial<Record<(typeof NAMES)[number], string>>;

export function readAuditSearch(search: Record<string, unknown>): AuditFilters {
  const known = NAMES.map((name) => [name, text(search[name])] as const);
  return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}
