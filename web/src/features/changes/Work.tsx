/** The work of a change: its plan, files, tests and checks, of which the one that matters now is shown first. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { Entries } from "@/components/json";
import { Commands, PlanView } from "@/components/plan";
import { Prose } from "@/components/prose";
import { Section } from "@/components/section";
import { WhyFailed } from "@/components/why-failed";
import { Waiting } from "@/components/ui/waiting";
import { isBroken, type Change, type FileDiff, type Verification } from "@/features/changes/model";
import { isQuestion } from "@/features/changes/rail";
import type { Reviewing } from "@/features/changes/reviewing";
import { TABS, type Tab } from "@/features/changes/search";
import { TEXTS } from "@/features/changes/texts";
import { planOf } from "@/lib/change-holds";
import { cn } from "@/lib/cn";
import type { CodeChangeDetail } from "@/lib/code-changes";
import type { Hold } from "@/lib/holds";
import { useKeys } from "@/lib/keys";
import { lazy } from "@/lib/lazy";
import { isActive } from "@/lib/runs";

const WORDS = TEXTS.work;

// one of them is looked at
const Amendments = lazy(() => import("@/components/amendments"));
const ChecksView = lazy(() => import("@/features/changes/Checks"));
const FilesView = lazy(() => import("@/features/changes/Files"));
const ImpactView = lazy(() => import("@/features/changes/Impact"));
const Published = lazy(() => import("@/features/changes/Published"));
const TestsView = lazy(() => import("@/features/changes/Tests"));
// only who amends a plan needs it
const PlanForm = lazy(() => import("@/components/plan-form"));

interface Props {
  about: CodeChangeDetail;
  change: Change;
  holds: Hold[];
  review: Reviewing | null;
  /** The tabs alone, where the conversation is shown in place of the work. */
  only?: "phone";
}

export function Work({ about, change, holds, review, only }: Props) {
  const { tab: chosen } = useSearch({ from: "/shell/changes/$changeId" });
  const navigate = useNavigate();
  const show = (tab: Tab) => void navigate({ to: "/changes/$changeId", params: { changeId: about.id }, search: { tab }, replace: true });
  useKeys(only ? {} : { "1": () => show("plan"), "2": () => show("files"), "3": () => show("tests"), "4": () => show("checks") });
  const shown = only ? "talk" : chosen === undefined || chosen === "talk" ? fitting(change, review) : chosen;
  const asks = isQuestion(change);
  return (
    <>
      <nav aria-label={WORDS.partsOfChange} className={cn("flex shrink-0 gap-1 overflow-x-auto border-b border-line px-3 sm:px-6", (only || asks) && "md:hidden")}>
        {(asks ? ANSWERING : TABS).map((tab) => (
          <Link
            key={tab}
            to="/changes/$changeId"
            params={{ changeId: about.id }}
            search={{ tab }}
            replace
            aria-current={tab === shown ? "page" : undefined}
            className={cn(
              "border-b-2 px-2.5 py-2 whitespace-nowrap",
              tab === "talk" && "md:hidden",
              tab === shown ? "border-accent font-medium" : "border-transparent text-ink-2 hover:text-ink",
            )}
          >
            {asks && tab === "plan" ? WORDS.answer : NAMES[tab]}
            <Count tab={tab} change={change} />
          </Link>
        ))}
      </nav>
      {only ? null : asks ? (
        <Answered about={about} change={change} />
      ) : (
        <div tabIndex={0} role="group" aria-label={NAMES[shown]} className="min-h-0 flex-1 overflow-y-auto -outline-offset-2">
          <div className="mx-auto max-w-4xl space-y-6 px-4 py-5 sm:px-8">
            {about.status === "failed" ? <WhyFailed error={about.error}>{WORDS.completedStepsAreKept}</WhyFailed> : null}
            <Suspense fallback={<Waiting what={WORDS.theChange} />}>
              {change.published ? <Published about={about} published={change.published} /> : null}
              <Part tab={shown} change={change} holds={holds} review={review} ended={!isActive(about)} />
            </Suspense>
          </div>
        </div>
      )}
    </>
  );
}

const NAMES: Record<Tab, string> = { talk: "Conversation", plan: "Plan", files: "Files", tests: "Tests", checks: "Checks" };

// a question about the code has no files, tests or checks
const ANSWERING: readonly Tab[] = ["talk", "plan"];

/** The one that a person wants to see at this point. */
function fitting(change: Change, review: Reviewing | null): Tab {
  if (review) return review.hold.action?.name === "change.publish" ? "files" : "plan";
  const stage = change.spans.at(-1)?.stage;
  if (stage === "editing" || stage === "pr_creation") return "files";
  return stage === "testing" ? "tests" : stage === "verification" ? "checks" : "plan";
}

/** What is in a tab, in a number; what went wrong there stands out. */
function Count({ tab, change }: { tab: Tab; change: Change }) {
  const round = change.rounds.findLast((one) => one.tests.length > 0);
  const broken = round?.tests.filter(isBroken).length ?? 0;
  const checks = change.rounds.at(-1)?.verification?.checks ?? [];
  const failed = checks.filter((check) => check.verdict === "failed").length;
  const open = checks.filter((check) => check.verdict === "unsure").length;
  const said: Partial<Record<Tab, [text: string, tone: string]>> = {
    files: change.files || change.edits.length > 0 ? [String(new Set([...(change.files ?? []), ...change.edits].map((one) => one.path)).size), "text-ink-3"] : undefined,
    tests: round ? (broken > 0 ? [WORDS.failed(broken), "text-critical"] : [String(round.tests.length), "text-good"]) : undefined,
    checks: failed > 0 ? [WORDS.failed(failed), "text-critical"] : open > 0 ? [WORDS.toJudge(open), "text-high"] : checks.length > 0 ? ["passed", "text-good"] : undefined,
  } as Partial<Record<Tab, [string, string]>>;
  const found = said[tab];
  return found ? <span className={cn("ml-1.5 text-xs font-normal", found[1])}>{found[0]}</span> : null;
}

interface PartProps {
  tab: Tab;
  change: Change;
  holds: Hold[];
  review: Reviewing | null;
  /** Nothing more will come. */
  ended: boolean;
}

function Part({ tab, change, holds, review, ended }: PartProps) {
  switch (tab) {
    case "files": {
      const asked = review?.hold.action?.name === "change.publish" ? review : null;
      const decided = (asked?.hold.evidence as { files?: FileDiff[] } | null | undefined)?.files;
      return <FilesView files={decided ?? change.files} edits={change.edits} review={decided ? asked : null} ended={ended} />;
    }
    case "tests":
      return <TestsView change={change} ended={ended} />;
    case "checks":
      return <ChecksView verification={verificationOf(change, review)} ended={ended} />;
    case "plan":
    case "talk":
      return <Planned change={change} holds={holds} review={review} ended={ended} />;
  }
}

function verificationOf(change: Change, review: Reviewing | null): Verification | null | undefined {
  const asked = review?.hold.action?.name === "change.publish" ? (review.hold.evidence as { verification?: Verification } | null) : null;
  return asked?.verification ?? change.rounds.findLast((round) => round.verification)?.verification;
}

function Planned({ change, holds, review, ended }: Omit<PartProps, "tab">) {
  const asked = review?.hold.action?.name === "change.plan" ? review : null;
  const last = asked?.hold ?? holds.findLast((hold) => hold.action?.name === "change.plan");
  const args = last?.action?.args;
  const proposed = last ? planOf(last) : null;
  const plan = asked ? proposed : (change.plan ?? proposed);
  const dependencies = review?.hold.action?.name === "change.prepare" ? review.hold : null;
  if (!plan) {
    const words = ended ? WORDS.itEndedBeforeThereWas : WORDS.theAgentIsLookingAt;
    return <p className="text-ink-3">{words}</p>;
  }
  if (asked?.open && asked.deciding.mode === "amend" && asked.hold.action) {
    return (
      <Suspense fallback={<Waiting what={WORDS.theForm} />}>
        <PlanForm hold={asked.hold} action={asked.hold.action} deciding={asked.deciding} />
      </Suspense>
    );
  }
  const state = asked ? "proposed" : change.plan ? "approved" : last?.status === "rejected" ? WORDS.rejectedTheAgentMakesAnother : "proposed";
  return (
    <>
      {dependencies ? (
        <Section title={WORDS.dependencies} note={WORDS.fetchedOnce}>
          <Entries of={dependencies.action?.args ?? {}} />
        </Section>
      ) : null}
      <PlanView plan={plan} note={state} />
      {last && last.revision > 1 ? <Amendments hold={last} /> : null}
      {change.impact ? <ImpactView impact={change.impact} /> : null}
      {args?.["commands"] ? <Commands of={args["commands"]} /> : null}
    </>
  );
}

/** A question about the code changes nothing. */
function Answered({ about, change }: { about: CodeChangeDetail; change: Change }) {
  const answer = change.answer ?? about.answer;
  return (
    <div tabIndex={0} role="group" aria-label={WORDS.answer} className="mx-auto w-full max-w-3xl space-y-4 overflow-y-auto px-4 py-6 -outline-offset-2 sm:px-8">
      {about.status === "failed" ? <WhyFailed error={about.error}>{WORDS.askAgain}</WhyFailed> : null}
      <Section title={WORDS.answer} note={WORDS.nothingWasChanged}>
        {answer ? <Prose text={answer} /> : <p className="text-ink-3">{WORDS.agentIsLookingAtCode}</p>}
      </Section>
    </div>
  );
}
