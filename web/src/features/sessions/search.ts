/** The list's filters as the search part of its address: unknown or wrong ones are left out. */
import { SESSION_STATUSES, type SessionFilters } from "@/lib/sessions";

export function readSessionSearch(search: Record<string, unknown>): SessionFilters {
  const status = SESSION_STATUSES.find((each) => each === search["status"]);
  const { skill } = search;
  return { ...(status ? { status } : {}), ...(typeof skill === "string" && skill ? { skill } : {}) };
}
