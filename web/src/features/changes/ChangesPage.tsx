/** All changes, newest first, by repository: how each stands, who asked, and where it led. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ExternalLink, Hand, Plus } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { DemoChange } from "@/components/demo-change";
import { RunMark, WORDS } from "@/components/run-mark";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { Notice } from "@/components/ui/notice";
import { Pick } from "@/components/ui/pick";
import { Ago } from "@/components/ui/time";
import { Waiting } from "@/components/ui/waiting";
import { changesQuery, repositoriesQuery } from "@/features/changes/api";
import { readChangeSearch } from "@/features/changes/search";
import { TEXTS } from "@/features/changes/texts";
import { STAGE_WORDS } from "@/features/changes/wording";
import { problemFrom } from "@/lib/api";
import { repositoryName } from "@/lib/change-holds";
import { cn } from "@/lib/cn";
import type { ChangeFilters, CodeChange } from "@/lib/code-changes";
import { line } from "@/lib/format";
import { useListKeys } from "@/lib/list-keys";
import { administers, readsAll, useMe } from "@/lib/me";
import { failure } from "@/lib/run-wording";
import { isActive, RUN_STATUSES } from "@/lib/runs";

export function ChangesPage() {
  const filters = useSearch({ from: "/shell/changes" });
  const navigate = useNavigate();
  const list = useInfiniteQuery(changesQuery(filters));
  const found = useMemo(() => list.data?.pages.flatMap((page) => page.changes) ?? [], [list.data]);
  const narrowed = Object.keys(filters).length > 0;
  const current = useListKeys(
    {
      ids: found.map((change) => change.id),
      open: undefined,
      show: (id) => void navigate({ to: "/changes/$changeId", params: { changeId: id } }),
      leave: () => undefined,
    },
    () => ({ n: () => void navigate({ to: "/changes/start" }) }),
  );
  return (
    <div className="h-full overflow-y-auto" tabIndex={-1}>
      <div className="mx-auto max-w-5xl space-y-5 px-4 py-6 sm:px-8">
        <header className="flex flex-wrap items-center justify-between gap-3">
          <div>
            <h1 className="text-xl font-semibold">{TEXTS.changesPage.changes}</h1>
            <p className="text-ink-2">{TEXTS.changesPage.fromSentenceToPullRequest}</p>
          </div>
          <Link to="/changes/start" title={TEXTS.changesPage.startByKey} className="inline-flex h-9 items-center gap-2 rounded-md bg-accent px-3.5 font-medium text-accent-ink hover:brightness-110">
            <Plus aria-hidden className="size-4" /> {TEXTS.changesPage.startAChange}
          </Link>
        </header>
        {found.length > 0 || narrowed ? <Filters filters={filters} /> : null}
        {list.error && found.length === 0 ? (
          <Notice tone="error" title={problemFrom(list.error).message}>
            <Button className="mt-2" onClick={() => void list.refetch()}>
              {TEXTS.changesPage.tryAgain}
            </Button>
          </Notice>
        ) : list.isPending ? (
          <Waiting what={TEXTS.changesPage.what} />
        ) : found.length === 0 ? (
          narrowed ? (
            <p className="py-12 text-center text-ink-3">{TEXTS.changesPage.noChangesMatch}</p>
          ) : (
            <First />
          )
        ) : (
          <>
            <ul aria-label={TEXTS.changesPage.newestFirst} className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-panel">
              {found.map((change) => (
                <Row key={change.id} change={change} current={change.id === current} />
              ))}
            </ul>
            {list.hasNextPage ? (
              <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {list.isFetchingNextPage ? TEXTS.changesPage.loading : TEXTS.changesPage.showOlderChanges}
              </Button>
            ) : null}
          </>
        )}
      </div>
    </div>
  );
}

function Filters({ filters }: { filters: ChangeFilters }) {
  const navigate = useNavigate();
  const me = useMe();
  const known = useQuery(repositoriesQuery).data?.repositories.filter((one) => one.changes > 0) ?? [];
  const addresses = [...new Set([...known.map((one) => one.repo_url), ...(filters.repo_url ? [filters.repo_url] : [])])];
  const narrow = (change: Record<string, unknown>) => void navigate({ to: "/changes", search: (now: Record<string, unknown>) => readChangeSearch({ ...now, ...change }), replace: true });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="w-56 max-sm:w-full">
        <Pick label={TEXTS.changesPage.filterByRepository} every={TEXTS.changesPage.everyRepository} value={filters.repo_url} options={addresses.map((one) => [one, repositoryName(one)])} onPick={(repo_url) => narrow({ repo_url })} />
      </div>
      <div className="w-48 max-sm:w-full">
        <Pick label={TEXTS.changesPage.filterByStatus} every={TEXTS.changesPage.everyStatus} value={filters.status} options={RUN_STATUSES.map((status) => [status, WORDS[status]])} onPick={(status) => narrow({ status })} />
      </div>
      {readsAll(me) ? (
        <label className="flex w-fit items-center gap-2 px-1">
          <input type="checkbox" className="size-4 accent-accent" checked={filters.mine ?? false} onChange={(event) => narrow({ mine: event.target.checked })} />
          {TEXTS.changesPage.startedByMe}
        </label>
      ) : null}
    </div>
  );
}

function Row({ change, current }: { change: CodeChange; current: boolean }) {
  const url = change.url && /^https?:\/\//.test(change.url) ? change.url : null;
  return (
    <li className={cn("relative px-4 py-3 hover:bg-surface", current && "bg-surface")}>
      {current ? <span aria-hidden className="absolute inset-y-0 left-0 w-0.75 bg-accent" /> : null}
      <div className="flex items-center justify-between gap-3 text-xs text-ink-3">
        <RunMark status={change.status} />
        <Ago at={change.created_at} />
      </div>
      <Link to="/changes/$changeId" params={{ changeId: change.id }} className="mt-0.5 line-clamp-2 font-medium break-words after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent">
        {line(change.message)}
      </Link>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-xs text-ink-3">
        <span title={line(change.repo_url)} className="font-medium text-ink-2">
          {repositoryName(change.repo_url)}
        </span>
        <span>{change.short_id}</span>
        <span>{line(change.started_by.name)}</span>
        <Where change={change} />
        {url ? (
          <a href={url} target="_blank" rel="noreferrer" className="relative z-10 inline-flex items-center gap-1 text-accent underline underline-offset-2">
            {TEXTS.changesPage.pullRequest} <ExternalLink aria-hidden className="size-3.5" />
          </a>
        ) : null}
      </p>
    </li>
  );
}

/** Where it is, or where it led. */
function Where({ change }: { change: CodeChange }): ReactNode {
  const [asked] = change.waits_for;
  if (asked) {
    return (
      <span className="inline-flex min-w-0 items-center gap-1 text-high">
        <Hand aria-hidden className="size-3.5 shrink-0" /> {line(asked.title)}
      </span>
    );
  }
  if (isActive(change)) return <span className="text-accent">{change.stage ? STAGE_WORDS[change.stage] : TEXTS.changesPage.starting}</span>;
  if (change.status === "failed") return <span className="text-critical">{failure(change.error)?.message}</span>;
  if (change.answer) return <span>{TEXTS.changesPage.answered}</span>;
  return change.branch ? <code>{line(change.branch)}</code> : null;
}

/** Teaches the next step, with commands that work as they stand. */
function First() {
  return (
    <section className="space-y-4 rounded-xl border border-line bg-panel p-5">
      <h2 className="text-base font-medium">{TEXTS.changesPage.noChangesYet}</h2>
      <p className="max-w-2xl text-ink-2">
        {TEXTS.changesPage.describeInSentenceWhatShould}
      </p>
      <Code text={'handrail change "Round prices to the nearest cent, with a test" --repo ~/src/shop'} />
      {administers(useMe()) ? <DemoChange /> : null}
    </section>
  );
}
