/** The list's filters as the search part of its address: unknown or wrong ones are left out. */
import { RUN_STATUSES, type RunFilters } from "@/lib/runs";

export function readRunSearch(search: Record<string, unknown>): RunFilters {
  const status = RUN_STATUSES.find((each) => each === search["status"]);
  const { workflow } = search;
  return {
    ...(status ? { status } : {}),
    ...(typeof workflow === "string" && workflow ? { workflow } : {}),
    ...(search["mine"] === true ? { mine: true } : {}),
    ...(typeof search["from"] === "string" && search["from"] ? { from: search["from"] } : {}),
  };
}
