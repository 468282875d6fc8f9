/** The list's filters, and the part of a change that is looked at, as the search part of their addresses. */
import type { ChangeFilters } from "@/lib/code-changes";
import { RUN_STATUSES } from "@/lib/runs";

export const TABS = ["talk", "plan", "files", "tests", "checks"] as const;
export type Tab = (typeof TABS)[number];

export function readChangeSearch(search: Record<string, unknown>): ChangeFilters {
  const status = RUN_STATUSES.find((each) => each === search["status"]);
  const repository = search["repo_url"];
  return {
    ...(status ? { status } : {}),
    ...(typeof repository === "string" && repository ? { repo_url: repository } : {}),
    ...(search["mine"] === true ? { mine: true } : {}),
  };
}

/** The attempt counts from one, as the page does. */
export function readWorkSearch(search: Record<string, unknown>): { tab?: Tab; attempt?: number } {
  const tab = TABS.find((each) => each === search["tab"]);
  const attempt = Number(search["attempt"]);
  return { ...(tab ? { tab } : {}), ...(tab === "tests" && Number.isInteger(attempt) && attempt > 0 ? { attempt } : {}) };
}
