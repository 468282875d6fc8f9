/** The decision pack: what happens, why it was held, who must say yes, on what evidence; and the decision. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useRef, useState } from "react";
import { HoldMark } from "@/components/risk";
import { Effect } from "@/components/effect";
import { Tree } from "@/components/json";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { Waiting } from "@/components/ui/waiting";
import { DecisionBar } from "@/components/deciding/decision-bar";
import { useDeciding } from "@/components/deciding/deciding";
import { Needs, Why } from "@/features/hold/Reasons";
import { isSkillEvidence } from "@/features/hold/skill-evidence";
import { Section } from "@/components/section";
import { TEXTS } from "@/features/hold/texts";
import { isPublishing, planOf } from "@/lib/change-holds";
import { useStopping } from "@/lib/brakes";
import { useNow } from "@/lib/clock";
import { deadline, exact, line, plain } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { useKeys } from "@/lib/keys";
import { looksLikeMarkdown } from "@/lib/looks";
import { useLastDecision } from "@/lib/last-decision";
import { lazy } from "@/lib/lazy";
import { neighbour } from "@/lib/order";
import { useSelected } from "@/lib/selected";
import { fieldsOf, headline } from "@/lib/wording";

const WORDS = TEXTS.pack;

// below the fold
const Known = lazy(() => import("@/features/hold/Known"));
const Exchange = lazy(() => import("@/features/hold/Exchange"));
const TriageBar = lazy(() => import("@/features/hold/TriageBar"));
const Identity = lazy(() => import("@/features/hold/Identity"));
// each of some holds only
const AllowLikeThis = lazy(() => import("@/features/hold/allowing/AllowLikeThis"));
const AmendForm = lazy(() => import("@/features/hold/AmendForm"));
const AnswerForm = lazy(() => import("@/features/hold/AnswerForm"));
const ItemsForm = lazy(() => import("@/features/hold/ItemsForm"));
const Overtaken = lazy(() => import("@/components/overtaken"));
const Markdown = lazy(() => import("@/components/markdown"));
const PlanPart = lazy(() => import("@/features/hold/PlanPart"));
const SkillEvidence = lazy(() => import("@/features/hold/SkillEvidence"));

export function Pack({ hold }: { hold: Hold }) {
  const [seen, setSeen] = useState(hold);
  const deciding = useDeciding(seen, hold, setSeen, useGoOn(hold.id));
  const last = useLastDecision();
  const comment = useRef<HTMLTextAreaElement>(null);
  const article = useRef<HTMLElement>(null);
  // opened by key, or next after a decision: Tab leads on from here, and not through the list
  useEffect(() => {
    if (document.activeElement === document.body) article.current?.querySelector("h1")?.focus({ preventScroll: true });
  }, []);
  const { mode, setMode } = deciding;
  const changed = hold.digest !== seen.digest;
  const open = hold.status === "pending" && hold.may_decide.allowed && !changed;
  const asks = hold.kind === "input";
  const batch = hold.items.length > 0;
  const plan = planOf(hold);
  const amends = mode === "amend" && open;
  const navigate = useNavigate();
  // a result is amended where its diff is
  useEffect(() => {
    if (!amends || !isPublishing(hold)) return;
    setMode("look");
    void navigate({ to: "/changes/$changeId", params: { changeId: hold.run_id ?? "" }, search: { tab: "files" } });
  }, [amends, hold, setMode, navigate]);

  const several = useSelected() > 0;
  const stopped = useStopping(hold) !== null;
  const mayApprove = open && !hold.may_decide.reject_only && !stopped;
  useKeys({
    ...(several
      ? {}
      : {
          a: () => mayApprove && !batch && deciding.approve(),
          r: () => open && !asks && !batch && setMode("reject"),
        }),
    e: () => mayApprove && !asks && !batch && setMode("amend"),
    w: () => open && hold.takes_response && !stopped && setMode("respond"),
    c: () => comment.current?.focus(),
    // once something was decided here, the key means that, wherever it was
    ...(last === null ? { u: () => deciding.canWithdraw && deciding.withdraw() } : {}),
  });

  return (
    <>
      <article ref={article} tabIndex={0} className="min-h-0 flex-1 overflow-y-auto -outline-offset-2" aria-label={headline(hold)}>
        <div className="mx-auto max-w-3xl space-y-6 px-4 py-6 sm:px-8">
          <Head hold={hold} />
          {hold.warnings?.map((one) => (
            <Notice key={one.text} tone="warning" title={line(one.text)} />
          ))}
          {hold.run_id && hold.action?.name.startsWith("change.") ? (
            <Link to="/changes/$changeId" params={{ changeId: hold.run_id }} className="block w-fit font-medium text-accent underline underline-offset-2">
              {WORDS.reviewItWithItsDiff}
            </Link>
          ) : null}
          {changed ? (
            <Suspense fallback={<Waiting what={WORDS.whatWasAmended} />}>
              <Overtaken seen={seen} now={hold} onSeen={() => setSeen(hold)} />
            </Suspense>
          ) : null}
          <div className="grid gap-6 sm:grid-cols-2">
            <Why hold={hold} />
            <Needs hold={hold} />
          </div>
          <Suspense fallback={<Waiting what={WORDS.theForm} />}>
            {asks ? <AnswerForm hold={hold} open={open} deciding={deciding} /> : null}
            {batch ? <ItemsForm hold={hold} open={open} deciding={deciding} /> : null}
            {plan && hold.action ? (
              <PlanPart hold={hold} action={hold.action} plan={plan} amending={amends ? deciding : null} />
            ) : amends && hold.action ? (
              <AmendForm hold={hold} action={hold.action} deciding={deciding} />
            ) : null}
          </Suspense>
          {amends || plan || !hold.action ? null : (
            <Section title={WORDS.actionAndArguments}>
              <Tree of={fieldsOf(hold.action)} />
            </Section>
          )}
          {hold.evidence == null ? null : isSkillEvidence(hold.action?.name, hold.evidence) ? (
            <Suspense fallback={<Waiting what={WORDS.theScan} />}>
              <SkillEvidence of={hold.evidence} />
            </Suspense>
          ) : (
            <Section title={WORDS.evidence} note={WORDS.suppliedByAndPartOf(line(hold.opened_by.name))} claim>
              <Tree of={hold.evidence} prose />
            </Section>
          )}
          {hold.context == null ? null : (
            <Section title={WORDS.context} note={WORDS.asStatedBy(line(hold.opened_by.name))} claim>
              <Tree of={hold.context} prose />
            </Section>
          )}
          <Suspense>
            <Known hold={hold} />
            <AllowLikeThis hold={hold} />
            <Exchange hold={hold} commentRef={comment} />
            <Identity hold={hold} />
          </Suspense>
        </div>
      </article>
      <DecisionBar hold={hold} deciding={deciding} open={open} onComment={() => comment.current?.focus()} />
    </>
  );
}

/** To the next hold of the list; to the list itself where that was the last. */
function useGoOn(id: string): () => void {
  const navigate = useNavigate();
  const filters = useSearch({ from: "/shell/desk" });
  return () => {
    const next = neighbour(id);
    if (next) void navigate({ to: "/holds/$holdId", params: { holdId: next }, search: filters });
    else void navigate({ to: "/inbox", search: filters });
  };
}

/** A question is its own headline; what it is for stands below. */
function Asked({ hold }: { hold: Hold }) {
  return (
    <>
      <h1 tabIndex={-1} className="text-xl leading-snug font-semibold break-words outline-none">{line(hold.title)}</h1>
      {hold.description ? <Said text={hold.description} /> : null}
      <p className="text-ink-2">
        <Effect hold={hold} />
      </p>
    </>
  );
}

/** What happens comes first; what the agent says of it is a claim. */
function Proposed({ hold }: { hold: Hold }) {
  return (
    <>
      <h1 tabIndex={-1} className="text-xl leading-snug font-semibold break-words outline-none">
        <Effect hold={hold} />
      </h1>
      <blockquote className="space-y-1 border-l-2 border-dashed border-line-strong/50 pl-3 text-ink-2">
        <p>
          <span className="text-ink-3">{line(hold.opened_by.name)} {hold.revision > 1 ? WORDS.said : WORDS.says}: </span>
          {line(hold.title)}
        </p>
        {hold.description ? <Said text={hold.description} /> : null}
      </blockquote>
    </>
  );
}

function Said({ text }: { text: string }) {
  const words = <p className="break-words whitespace-pre-wrap">{plain(text)}</p>;
  return looksLikeMarkdown(text) ? (
    <Suspense fallback={words}>
      <Markdown text={text} />
    </Suspense>
  ) : (
    words
  );
}

function Head({ hold }: { hold: Hold }) {
  const now = useNow();
  const left = hold.status === "pending" ? deadline(hold, now) : null;
  return (
    <header className="space-y-3">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-3">
        <HoldMark hold={hold} />
        <code>{hold.short_id}</code>
        {hold.kind === "input" ? null : <span>{hold.kind}</span>}
        {hold.revision > 1 ? <span>{WORDS.revision(hold.revision)}</span> : null}
        {left ? (
          <span className="text-ink-2" title={hold.expires_at ? exact(hold.expires_at) : undefined}>
            {left}
          </span>
        ) : null}
        {hold.escalated_at ? <span className="text-high">{WORDS.escalated}</span> : null}
      </p>
      {hold.kind === "input" ? <Asked hold={hold} /> : <Proposed hold={hold} />}
      <p className="text-ink-3">
        {WORDS.requestedBy} <span className="text-ink-2">{line(hold.opened_by.name)}</span> ({hold.opened_by.kind}) <Ago at={hold.opened_at} />
        {hold.started_by ? WORDS.inRunThatStarted(line(hold.started_by.name)) : null}
        {hold.case_id ? WORDS.inCase(line(hold.case_id)) : null}
      </p>
      <Suspense>
        <TriageBar hold={hold} />
      </Suspense>
    </header>
  );
}
