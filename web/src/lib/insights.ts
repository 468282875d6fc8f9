/** Figures on how holds are decided, as a resource. */
import { queryOptions } from "@tanstack/react-query";
import { asked, askedOfHolds, type InsightSearch } from "@/lib/insight-search";
import { answered, client, type Schemas } from "@/lib/api";
import { serverNow } from "@/lib/clock";
import { line } from "@/lib/format";
import type { LiveMap } from "@/lib/live";
import { zone } from "@/lib/locale";

export type Insights = Schemas["Insights"];
export type Slot = Schemas["Slot"];
export type Outcomes = Schemas["Outcomes"];
export type HoldRow = Schemas["HoldRow"];

export function insightsQuery(search: InsightSearch) {
  const { show: _, ...narrowed } = search;
  return queryOptions({
    queryKey: ["insights", "figures", narrowed, zone()],
    queryFn: ({ signal }) => {
      const query = { ...asked(narrowed, serverNow()), zone: zone() } as never;
      return answered(client.GET("/api/insights", { params: { query }, signal }));
    },
    placeholderData: (previous) => previous,
  });
}

export function behindQuery(search: InsightSearch) {
  return queryOptions({
    queryKey: ["insights", "holds", search, zone()],
    queryFn: ({ signal }) => {
      const query = { ...askedOfHolds(search, serverNow()), zone: zone() } as never;
      return answered(client.GET("/api/insights/holds", { params: { query }, signal }));
    },
  });
}

export const STATUSES = ["approved", "answered", "rejected", "expired", "cancelled", "pending"] as const;

/** People were asked, whatever became of it. */
export function askedOf(outcomes: Outcomes): number {
  return outcomes.total - outcomes.unasked;
}

export interface NamedOutcomes extends Outcomes {
  /** What it is narrowed by. */
  id: string;
  label: string;
}

/** Of those that were asked about at least three times, the one with the largest share of rejections. */
export function mostRejected(rows: readonly NamedOutcomes[]): string | null {
  const often = rows.filter((row) => askedOf(row) >= 3 && row.rejected > 0);
  const share = (row: NamedOutcomes) => row.rejected / askedOf(row);
  return often.sort((a, b) => share(b) - share(a))[0]?.label ?? null;
}

export function named(rows: Insights["actions"]): NamedOutcomes[] {
  return rows.map((row) => ({ ...row, id: row.name, label: line(row.name) }));
}

// figures of a busy day are made again at most this often
const PAUSE_MS = 10_000;
let waiting = false;

export const insightsLive: LiveMap = {
  "hold.": (_entries, queries) => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      void queries.invalidateQueries({ queryKey: ["insights"] });
    }, PAUSE_MS);
  },
};
