import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { AuditFilters } from "@/features/audit/search";
import type { LiveMap } from "@/lib/live";

export type AuditEntry = Schemas["AuditEntry"];

const PAGE = 100;

export function entriesQuery(filters: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: ["audit", "entries", filters],
    queryFn: ({ pageParam }) => {
      const query = { ...filters, limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) };
      return answered(client.GET("/api/audit/entries", { params: { query } }));
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });
}

export const headQuery = queryOptions({
  queryKey: ["audit", "head"],
  queryFn: () => answered(client.GET("/api/audit/head")),
});

// a log that grows fast is read anew at most this often
const PAUSE_MS = 1_000;
let waiting = false;

export const auditLive: LiveMap = {
  "": (_entries, queries) => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      void queries.invalidateQueries({ queryKey: ["audit"] });
    }, PAUSE_MS);
  },
};
