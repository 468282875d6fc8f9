/** How many holds wait, by risk. */
import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { holdKeys, LEVELS, type HoldFilters, type Level } from "@/lib/holds";

export type Counts = Partial<Record<Level, Schemas["Count"]>>;

export function countsQuery(filters: HoldFilters) {
  const { risk, status, ...same } = filters;
  return queryOptions({
    queryKey: holdKeys.countsOf(same),
    queryFn: async (): Promise<Counts> => {
      const page = await answered(client.GET("/api/holds", { params: { query: { ...same, limit: 1 } } }));
      return page.counts ?? {};
    },
  });
}

/** All levels together: "12", or "10,000+" where not all were counted. */
export function total(counts: Counts | undefined): { count: number; text: string } {
  const each = LEVELS.map((level) => counts?.[level]).filter((one) => one !== undefined);
  const count = each.reduce((sum, one) => sum + one.count, 0);
  return { count, text: count.toLocaleString("en") + (each.some((one) => one.capped) ? "+" : "") };
}
