/** What happened, newest first; how far it is sealed; and all of it to take away and verify. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { Page, Panel } from "@/components/page";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { entriesQuery } from "@/features/audit/api";
import { EntryRow } from "@/features/audit/EntryRow";
import { readAuditSearch, type AuditFilters } from "@/features/audit/search";
import { Seal } from "@/features/audit/Seal";
import { problemFrom } from "@/lib/api";

const TYPES: [string, string][] = [
  ["", "Everything"],
  ["hold.", "Holds"],
  ["hold.decided", "Decisions"],
  ["policy.", "Policy"],
  ["brake.", "Brake"],
  ["person.", "People"],
  ["token.", "Tokens"],
  ["session.", "Sign-ins"],
  ["delivery.", "Notifications"],
  ["run.", "Runs"],
  ["audit.", "The log itself"],
];

export function AuditPage() {
  const filters: AuditFilters = useSearch({ from: "/shell/audit" });
  const navigate = useNavigate();
  const log = useInfiniteQuery(entriesQuery(filters));
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Page
      title="Audit"
      intro="Every event, hash-chained and signed."
      actions={
        <a href="/api/audit/export" download="handrail-audit.jsonl" className="inline-flex h-9 items-center gap-2 rounded-md border border-line bg-panel px-3.5 font-medium hover:bg-sunken">
          <Download aria-hidden className="size-4" /> Export
        </a>
      }
    >
      <Seal />
      <Panel
        title="Entries"
        actions={
          <>
            {filters.hold ? (
              <Link to="/audit" className="inline-flex h-8 items-center gap-2 rounded-full border border-line px-3 text-xs hover:bg-sunken">
                hold {filters.hold} <span aria-label="remove filter">×</span>
              </Link>
            ) : null}
            <Select
              aria-label="Filter entries"
              className="h-8 w-40"
              value={filters.type ?? ""}
              onChange={(event) => void navigate({ to: "/audit", search: readAuditSearch({ ...filters, type: event.target.value }) })}
            >
              {TYPES.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </>
        }
      >
        {log.isError ? (
          <Notice tone="error" title={problemFrom(log.error).message} />
        ) : log.isPending ? (
          <Waiting what="the log" />
        ) : entries.length === 0 ? (
          <p className="py-6 text-center text-ink-3">No entries match.</p>
        ) : (
          <ol className="-my-2 divide-y divide-line">
            {entries.map((entry) => (
              <EntryRow key={entry.seq} entry={entry} />
            ))}
          </ol>
        )}
        {log.hasNextPage ? (
          <Button className="mt-4" disabled={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {log.isFetchingNextPage ? "Loading…" : "Older entries"}
          </Button>
        ) : null}
      </Panel>
    </Page>
  );
}
