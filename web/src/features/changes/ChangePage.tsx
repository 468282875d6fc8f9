/** One code change: the conversation, and the work beside it, stage by stage, up to what was published. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { Suspense, useEffect, type ReactNode } from "react";
import { Fetched } from "@/components/desk";
import { RunMark } from "@/components/run-mark";
import { Ago } from "@/components/ui/time";
import { changeQuery } from "@/features/changes/api";
import { Conversation } from "@/features/changes/Conversation";
import type { Change } from "@/features/changes/model";
import { useReviewing, type Reviewing } from "@/features/changes/reviewing";
import { StageRail } from "@/features/changes/StageRail";
import { useChange } from "@/features/changes/stream";
import { Work } from "@/features/changes/Work";
import { TEXTS } from "@/features/changes/texts";
import { planOf, repositoryName } from "@/lib/change-holds";
import { cn } from "@/lib/cn";
import type { CodeChangeDetail } from "@/lib/code-changes";
import { line } from "@/lib/format";
import { holdQuery, type Hold } from "@/lib/holds";
import { useKeys } from "@/lib/keys";
import { lazy } from "@/lib/lazy";

const WORDS = TEXTS.changePage;

// only who decides needs it
const Decision = lazy(() => import("@/features/changes/Decision"));

export function ChangePage() {
  const { changeId } = useParams({ from: "/shell/changes/$changeId" });
  const about = useQuery(changeQuery(changeId));
  return (
    <div className="flex h-full min-h-0 flex-col bg-panel">
      <Fetched query={about} what={WORDS.theChange}>
        {/* a stream belongs to one run */}
        {(known) => <Shown key={changeId} about={known} />}
      </Fetched>
    </div>
  );
}

function Shown({ about }: { about: CodeChangeDetail }) {
  const { change, state } = useChange(about.id);
  const holds = useHolds(change);
  const waiting = holds.findLast((hold) => hold.status === "pending") ?? null;
  const { tab } = useSearch({ from: "/shell/changes/$changeId" });
  const navigate = useNavigate();
  useKeys({ Escape: () => void navigate({ to: "/changes" }) });
  const talks = tab === "talk" || (tab === undefined && waiting?.kind === "input");
  const decided = waiting && waiting.kind !== "input" ? waiting : null;
  return (
    <>
      <Head about={about} change={change} holds={holds} />
      <StageRail change={change} asked={decided?.action?.name ?? null} />
      {state === "reconnecting" ? (
        <p role="status" className="border-b border-line px-4 py-1 text-xs text-high">
          {WORDS.reconnectingNothingIsLostIn}
        </p>
      ) : null}
      <div className="flex min-h-0 flex-1">
        <section aria-label={WORDS.talk} className={cn("flex min-h-0 w-full flex-col border-line md:w-84 md:shrink-0 md:border-r xl:w-104", talks ? "flex" : "max-md:hidden")}>
          {talks ? <Work about={about} change={change} holds={holds} only="phone" review={null} /> : null}
          <Conversation about={about} change={change} />
        </section>
        <section aria-label={WORDS.work} className={cn("flex min-h-0 min-w-0 flex-1 flex-col", talks && "max-md:hidden")}>
          {decided ? (
            // drafts, modes and what was seen belong to one hold
            <Deciding key={decided.id} hold={decided}>
              {(review) => <Work about={about} change={change} holds={holds} review={review} />}
            </Deciding>
          ) : (
            <Work about={about} change={change} holds={holds} review={null} />
          )}
        </section>
      </div>
    </>
  );
}

/** What the change has asked, as far as this person may see it. */
function useHolds(change: Change): Hold[] {
  return useQueries({
    queries: change.holds.map((id) => holdQuery(id)),
    combine: (found) => found.flatMap((one) => (one.data ? [one.data] : [])),
  });
}

function Deciding({ hold, children }: { hold: Hold; children: (review: Reviewing) => ReactNode }) {
  const review = useReviewing(hold);
  const { deciding, open, marked } = review;
  const navigate = useNavigate();
  const name = hold.action?.name;
  const { setMode, mode } = deciding;
  useKeys({
    a: () => open && !marked && !hold.may_decide.reject_only && deciding.approve(),
    r: () => open && !marked && setMode("reject"),
    e: () => open && !marked && !hold.may_decide.reject_only && setMode("amend"),
    c: () => void navigate({ to: "/holds/$holdId", params: { holdId: hold.id } }),
  });
  // what is amended in another way than by a form has its own place
  useEffect(() => {
    if (mode !== "amend" || name === "change.plan") return;
    setMode("look");
    if (name === "change.publish") void navigate({ to: "/changes/$changeId", params: { changeId: hold.run_id ?? "" }, search: { tab: "files" }, replace: true });
    else void navigate({ to: "/holds/$holdId", params: { holdId: hold.id } });
  }, [mode, name, setMode, navigate, hold.id, hold.run_id]);
  return (
    <>
      {children(review)}
      <Suspense>
        <Decision review={review} />
      </Suspense>
    </>
  );
}

function Head({ about, change, holds }: { about: CodeChangeDetail; change: Change; holds: Hold[] }) {
  const plan = change.plan ?? holds.map(planOf).findLast(Boolean);
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 sm:px-6">
      <Link to="/changes" aria-label={WORDS.backToAllChanges} className="-ml-1 inline-flex size-8 items-center justify-center rounded-md text-ink-2 hover:bg-sunken">
        <ArrowLeft aria-hidden className="size-4" />
      </Link>
      <h1 className="min-w-0 flex-1 text-base font-semibold text-balance break-words max-sm:basis-3/4">{plan ? `${line(plan.kind)}: ${line(plan.title)}` : line(about.message).slice(0, 120)}</h1>
      <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-3">
        <RunMark status={about.status} badge />
        <span title={line(about.repo_url)} className="text-ink-2">
          {repositoryName(about.repo_url)}
        </span>
        <span className="max-sm:hidden">
          {line(about.started_by.name)}, <Ago at={about.created_at} />
        </span>
        <Link to="/runs/$runId" params={{ runId: about.id }} className="underline underline-offset-2 hover:text-ink max-sm:hidden">
          {about.short_id}
        </Link>
      </p>
    </header>
  );
}
