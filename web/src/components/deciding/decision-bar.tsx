/** The decision, at the foot of the pack: buttons while it can be made, who made it once it is. */
import { Ban, Check, MessageSquare, Pencil, Reply, Undo2, X } from "lucide-react";
import { Suspense, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import type { Deciding } from "@/components/deciding/deciding";
import { Sure, WithReason } from "@/components/deciding/steps";
import { TEXTS } from "@/components/deciding/texts";
import { useStopping } from "@/lib/brakes";
import { line, oneOf } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { useLastDecision } from "@/lib/last-decision";
import { lazy } from "@/lib/lazy";
import { useMe } from "@/lib/me";
import { capital, missing, outcome } from "@/lib/wording";

const WORDS = TEXTS.decisionBar;

// most decisions need neither
const Refusal = lazy(() => import("@/components/deciding/refusal"));
const HoldButton = lazy(async () => ({ default: (await import("@/components/ui/hold-button")).HoldButton }));
const StandsIn = lazy(() => import("@/components/deciding/stands-in"));
const Confirm = lazy(() => import("@/components/deciding/confirm"));

interface Props {
  hold: Hold;
  deciding: Deciding;
  open: boolean;
  onComment: () => void;
}

export function DecisionBar({ hold, deciding, open, onComment }: Props) {
  const { mode, refusal } = deciding;
  const stopping = useStopping(hold);
  return (
    <section aria-label={WORDS.decision} className="border-t border-line bg-panel px-4 py-3 sm:px-8">
      <div className="mx-auto max-w-3xl space-y-3">
        <Suspense>{refusal ? <Refusal problem={refusal} /> : null}</Suspense>
        {!hold.decision && hold.may_decide.allowed && hold.may_decide.stands_in_for.length > 0 ? (
          <Suspense>
            <StandsIn hold={hold} deciding={deciding} />
          </Suspense>
        ) : null}
        {hold.may_decide.reject_only && !hold.decision && !refusal ? <Notice tone="warning" title={hold.may_decide.reason ?? ""} /> : null}
        {stopping && !hold.decision && hold.may_decide.allowed ? (
          <Notice tone="warning" title={WORDS.isStopped(stopping.agent ? line(stopping.agent.name) : null)} />
        ) : null}
        {hold.decision ? (
          <Decided hold={hold} deciding={deciding} />
        ) : !hold.may_decide.allowed ? (
          <NotYours hold={hold} deciding={deciding} onComment={onComment} />
        ) : mode === "reject" || mode === "approve" || mode === "respond" ? (
          <WithReason deciding={deciding} verdict={mode} />
        ) : mode === "sure" && open ? (
          <Sure deciding={deciding} />
        ) : (
          <Buttons hold={hold} deciding={deciding} open={open} stopped={stopping !== null} onComment={onComment} />
        )}
        <Suspense>{mode === "confirm" ? <Confirm hold={hold} open={open} deciding={deciding} /> : null}</Suspense>
      </div>
    </section>
  );
}

function Buttons({ hold, deciding, open, stopped, onComment }: Props & { stopped: boolean }) {
  const { sending, mode, settled } = deciding;
  const own = hold.kind === "input" || hold.items.length > 0 || mode === "amend";
  const off = !open || sending;
  // a no is always possible
  const noYes = off || stopped || hold.may_decide.reject_only;
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:gap-1.5 max-sm:[&_button]:px-2.5">
      {own ? null : deciding.mine ? (
        <p className="mr-auto flex items-center gap-2 text-good">
          <Check aria-hidden className="size-4 max-sm:hidden" /> {WORDS.youApproved} {missing(hold) ?? WORDS.others}.
        </p>
      ) : (
        <Approve hold={hold} deciding={deciding} off={noYes} />
      )}
      {own ? null : (
        <>
          <Button tone="danger" disabled={off} waits={!settled} onClick={() => deciding.setMode("reject")}>
            <X aria-hidden className="size-4 max-sm:hidden" />
            {WORDS.reject} <Kbd>r</Kbd>
          </Button>
          <Button disabled={noYes} waits={!settled} onClick={() => deciding.setMode("amend")}>
            <Pencil aria-hidden className="size-4 max-sm:hidden" />
            {WORDS.amend} <Kbd>e</Kbd>
          </Button>
          {hold.takes_response ? (
            <Button disabled={off || stopped} waits={!settled} onClick={() => deciding.setMode("respond")}>
              <Reply aria-hidden className="size-4 max-sm:hidden" />
              {WORDS.respond} <Kbd>w</Kbd>
            </Button>
          ) : null}
        </>
      )}
      <Button onClick={onComment}>
        <MessageSquare aria-hidden className="size-4 max-sm:hidden" />
        {WORDS.ask} <Kbd>c</Kbd>
      </Button>
      {deciding.canWithdraw ? <WithdrawButton hold={hold} deciding={deciding} /> : null}
    </div>
  );
}

/** One press; of a high risk one that is held, or a second one. */
function Approve({ hold, deciding, off }: { hold: Hold; deciding: Deciding; off: boolean }) {
  const label = (
    <>
      <Check aria-hidden className="size-4 max-sm:hidden" />
      {deciding.sending ? WORDS.sending : WORDS.approve} <Kbd>a</Kbd>
    </>
  );
  const how = { tone: "accent", disabled: off, waits: !deciding.settled } as const;
  if (hold.risk !== "high") {
    return (
      <Button {...how} onClick={() => deciding.approve()}>
        {label}
      </Button>
    );
  }
  return (
    <Suspense
      fallback={
        <Button {...how} onClick={() => deciding.approve()}>
          {label}
        </Button>
      }
    >
      <HoldButton {...how} title={WORDS.highRisk} onHeld={() => deciding.approve(true)} onPressed={() => deciding.approve()}>
        {label}
      </HoldButton>
    </Suspense>
  );
}

function Decided({ hold, deciding }: { hold: Hold; deciding: Deciding }) {
  const { decision } = hold;
  if (!decision) return null;
  const bad = decision.outcome !== "approved" && decision.outcome !== "answered";
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div role="status" className="mr-auto min-w-0">
        <p className={`font-medium ${bad ? "text-critical" : "text-good"}`}>
          {capital(outcome(decision))} <Ago at={decision.at} />
        </p>
        {responseOf(hold) !== null ? <p className="break-words text-ink-2">“{line(responseOf(hold) ?? "")}”</p> : null}
        {decision.reason ? <p className="break-words text-ink-2">“{line(decision.reason)}”</p> : null}
        <p className="text-ink-3">{use(hold)}</p>
      </div>
      {deciding.canWithdraw ? <WithdrawButton hold={hold} deciding={deciding} /> : null}
    </div>
  );
}

/** What was said in place of yes or no; an input's answer stands in its form. */
function responseOf(hold: Hold): string | null {
  const said = hold.kind === "input" || hold.items.length > 0 ? null : hold.decision?.answer;
  return typeof said === "string" ? said : null;
}

function use(hold: Hold): ReactNode {
  if (responseOf(hold) !== null) return WORDS.theAgentReadsThisNothing;
  if (hold.result) return WORDS.theActionRan(hold.result.outcome);
  if (hold.redeemed) {
    return (
      <>
        {WORDS.usedBy(line(hold.redeemed.by.name))} <Ago at={hold.redeemed.at} />{WORDS.itCannotBeWithdrawn}
      </>
    );
  }
  return hold.status === "approved" ? WORDS.notUsedYet : null;
}

function WithdrawButton({ hold, deciding }: { hold: Hold; deciding: Deciding }) {
  const last = useLastDecision();
  // the key means the last decision, wherever that was
  const key = last === null || last.holds.some((one) => one.id === hold.id);
  return (
    <Button disabled={deciding.sending} onClick={deciding.withdraw}>
      <Undo2 aria-hidden className="size-4" />
      {WORDS.withdrawApproval} {key ? <Kbd>u</Kbd> : null}
    </Button>
  );
}

function NotYours({ hold, deciding, onComment }: { hold: Hold; deciding: Deciding; onComment: () => void }) {
  const me = useMe();
  const asked = hold.opened_by.id === me.id;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="mr-auto flex min-w-0 items-center gap-2 text-ink-2">
        <Ban aria-hidden className="size-4 shrink-0" />
        <span>
          {WORDS.viewOnly} {hold.may_decide.code === "wrong_role" ? WORDS.isFor(oneOf(hold.requirements.roles)) : hold.may_decide.reason}
        </span>
      </p>
      {asked ? (
        <>
          <Button onClick={onComment}>{WORDS.answerOrComment}</Button>
          <Button tone="danger" disabled={deciding.sending} onClick={deciding.cancel}>
            {WORDS.withdrawRequest}
          </Button>
        </>
      ) : null}
    </div>
  );
}
