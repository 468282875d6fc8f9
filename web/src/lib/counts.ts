/** How many holds wait, by risk. */
import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { asked, holdKeys, LEVELS, type HoldFilters, type Level } from "@/lib/holds";

export type Counts = Partial<Record<Level, Schemas["Count"]>>;

export function countsQuery(filters: HoldFilters) {
  const { risk, status, group, ...others } = filters;
  // one list is asked for by one name
  const same = { ...others, view: filters.view ?? "needs_me" } as const;
  return queryOptions({
    queryKey: holdKeys.countsOf(same),
    queryFn: async (): Promise<Counts> => {
      return (await answered(client.GET("/api/holds/counts", { params: { query: asked(same) } }))).counts;
    },
  });
}

/** All levels together: "12", or "10,000+" where not all were counted. */
export function total(counts: Counts | undefined): { count: number; text: string } {
  const each = LEVELS.map((level) => counts?.[level]).filter((one) => one !== undefined);
  const count = each.reduce((sum, one) => sum + one.count, 0);
  return { count, text: count.toLocaleString("en") + (each.some((one) => one.capped) ? "+" : "") };
}
