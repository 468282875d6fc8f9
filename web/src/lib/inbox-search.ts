/** The inbox's filters as the search part of its address: unknown or wrong ones are left out. */
import { text } from "@/lib/address";
import { KINDS, LEVELS, type HoldFilters, type Status, type View, type Within } from "@/lib/holds";

export const DECIDED: readonly Status[] = ["approved", "rejected", "answered", "expired", "cancelled"];
export const VIEWS: readonly View[] = ["needs_me", "waiting", "mine", "done", "snoozed", "all"];
export const WITHIN: readonly Within[] = ["1h", "24h", "7d", "30d"];

function oneOf<T extends string>(allowed: readonly T[], given: unknown): T | undefined {
  return allowed.find((each) => each === given);
}

/** An address without a view that names a status means the list that has such holds. */
function viewOf(search: Record<string, unknown>, status: Status | undefined): View | undefined {
  const view = oneOf(VIEWS, search["view"]);
  if (view) return view;
  if (search["mine"] === true) return "mine";
  if (search["status"] === "all") return "all";
  return status && status !== "pending" ? "done" : undefined;
}

export function readInboxSearch(search: Record<string, unknown>): HoldFilters {
  const status = oneOf([...DECIDED, "pending"], search["status"]);
  const view = viewOf(search, status);
  // only some views have more than one status
  const narrows = view === "mine" || view === "all" || (view === "done" && status !== "pending");
  const found = {
    view: view === "needs_me" ? undefined : view,
    status: narrows ? status : undefined,
    kind: oneOf(KINDS, search["kind"]),
    risk: oneOf(LEVELS, search["risk"]),
    case: text(search["case"]),
    agent: text(search["agent"]),
    action: text(search["action"]),
    text: text(search["text"]),
    within: oneOf(WITHIN, search["within"]),
    assignee: text(search["assignee"]),
    group: search["group"] === true ? true : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
