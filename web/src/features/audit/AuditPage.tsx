/** What happened, newest first; the chain that it forms, verified here; and all of it to take away. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { Page, Panel } from "@/components/page";
import { Button, buttonLook } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { entriesQuery } from "@/features/audit/api";
import { EntryRow } from "@/features/audit/EntryRow";
import type { AuditFilters } from "@/features/audit/search";
import { Seal } from "@/features/audit/Seal";
import { SearchBar } from "@/features/audit/SearchBar";
import { TEXTS } from "@/features/audit/texts";
import { problemFrom } from "@/lib/api";
import { readsAll, useMe } from "@/lib/me";

export function AuditPage() {
  const me = useMe();
  const filters: AuditFilters = useSearch({ from: "/shell/audit" });
  const log = useInfiniteQuery(entriesQuery(filters));
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Page
      title={TEXTS.title}
      intro={TEXTS.intro}
      actions={
        readsAll(me) ? (
          <>
            <Link to="/report" className={buttonLook()}>
              {TEXTS.report}
            </Link>
            <a href="/api/audit/export" download="handrail-audit.jsonl" className={buttonLook()}>
              <Download aria-hidden className="size-4" /> {TEXTS.export}
            </a>
          </>
        ) : null
      }
    >
      <Seal />
      <Panel title={TEXTS.entries}>
        <SearchBar filters={filters} />
        <div className="mt-4">
          {log.isError ? (
            <Notice tone="error" title={problemFrom(log.error).message} />
          ) : log.isPending ? (
            <Waiting what={TEXTS.log} />
          ) : entries.length === 0 ? (
            <p className="py-6 text-center text-ink-3">{log.hasNextPage ? TEXTS.noneYet : TEXTS.none}</p>
          ) : (
            <ol className="-my-2 divide-y divide-line">
              {entries.map((entry) => (
                <EntryRow key={entry.seq} entry={entry} />
              ))}
            </ol>
          )}
          {log.hasNextPage ? (
            <Button className="mt-4" disabled={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              {log.isFetchingNextPage ? TEXTS.loading : filters.text ? TEXTS.searchOlder : TEXTS.older}
            </Button>
          ) : null}
        </div>
      </Panel>
    </Page>
  );
}
