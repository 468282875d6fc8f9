/** The inbox's filters as the search part of its address: unknown or wrong ones are left out. */
import { KINDS, LEVELS, type HoldFilters, type Status } from "@/lib/holds";

export const STATUSES: readonly (Status | "all")[] = ["pending", "approved", "rejected", "answered", "expired", "cancelled", "all"];

function oneOf<T extends string>(allowed: readonly T[], given: unknown): T | undefined {
  return allowed.find((each) => each === given);
}

function text(given: unknown): string | undefined {
  return (typeof given === "string" || typeof given === "number") && given !== "" ? String(given) : undefined;
}

export function readInboxSearch(search: Record<string, unknown>): HoldFilters {
  const status = oneOf(STATUSES, search["status"]);
  const found = {
    status: status === "pending" ? undefined : status,
    kind: oneOf(KINDS, search["kind"]),
    risk: oneOf(LEVELS, search["risk"]),
    case: text(search["case"]),
    text: text(search["text"]),
    mine: search["mine"] === true ? true : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
