/** The decision, at the foot of the work: what happens on approval, what was marked, and the buttons of every hold. */
import { Link, useNavigate } from "@tanstack/react-router";
import { DecisionBar } from "@/components/deciding/decision-bar";
import Overtaken from "@/components/overtaken";
import { HoldMark } from "@/components/risk";
import { Button } from "@/components/ui/button";
import { reasonOf, type Reviewing } from "@/features/changes/reviewing";
import { TEXTS } from "@/features/changes/texts";
import { changeEffect, sentLeftOut } from "@/lib/change-holds";
import { cn } from "@/lib/cn";
import { useNow } from "@/lib/clock";
import { deadline } from "@/lib/format";
import { needsBriefly } from "@/lib/wording";

const WORDS = TEXTS.decision;

export default function Decision({ review }: { review: Reviewing }) {
  const { hold, now, deciding } = review;
  const navigate = useNavigate();
  const left = deadline(now, useNow());
  const ask = () => void navigate({ to: "/holds/$holdId", params: { holdId: now.id } });
  return (
    <div className="shrink-0 border-t border-line bg-panel">
      <div className={cn("px-4 pt-3 sm:px-8", !review.marked && "pb-3")}>
        <div className="mx-auto max-w-3xl space-y-2">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-3">
            <HoldMark hold={now} />
            <span>{WORDS.needs(needsBriefly(now))}</span>
            {left ? <span>{left}</span> : null}
            <Link to="/holds/$holdId" params={{ holdId: now.id }} className="underline underline-offset-2 hover:text-ink">
              {WORDS.rulesAndDiscussion(now.short_id)}
            </Link>
          </p>
          {now.digest !== hold.digest ? (
            <Overtaken seen={hold} now={now} onSeen={review.look} />
          ) : (
            <p className="font-medium break-words">{changeEffect(hold)}</p>
          )}
        </div>
      </div>
      {review.open && review.marked ? <Marked review={review} /> : <DecisionBar hold={now} deciding={deciding} open={review.open} onComment={ask} />}
    </div>
  );
}

/** What was left out or said is sent or dropped before anything is approved: what is approved is what stands there. */
function Marked({ review }: { review: Reviewing }) {
  const { hold, deciding, remarks, leftOut } = review;
  const hunks = leftOut.reduce((sum, one) => sum + Math.max(1, one.hunks.length), 0);
  function drop() {
    review.setRemarks([]);
    review.setLeftOut(sentLeftOut(hold));
  }
  function leave() {
    if (!hold.action) return;
    const args = { ...hold.action.args, leave_out: leftOut.map(({ path, hunks: ids }) => (ids.length > 0 ? { path, hunks: ids } : { path })) };
    deciding.send({ verdict: "amend", amended_action: { ...hold.action, args } });
  }
  return (
    <section aria-label={WORDS.decision} className="px-4 py-3 sm:px-8">
      <div className="mx-auto flex max-w-3xl flex-wrap items-center gap-2">
        {remarks.length > 0 ? (
          <>
            <p className="mr-auto">
              {WORDS.commentsForAgent(remarks.length)}{" "}
              <span className="text-ink-3">{leftOut.length > 0 ? WORDS.whatYouLeftOutIs : WORDS.itMendsChange}</span>
            </p>
            <Button tone="accent" disabled={deciding.sending} waits={!deciding.settled} onClick={() => deciding.send({ verdict: "reject", reason: reasonOf(remarks) }, () => review.setRemarks([]))}>
              {deciding.sending ? WORDS.sending : WORDS.sendBackToAgent}
            </Button>
          </>
        ) : (
          <>
            <p className="mr-auto">{leftOut.length === 0 ? WORDS.everythingIsIncludedAgain : WORDS.partsLeftOut(hunks)}</p>
            <Button tone="accent" disabled={deciding.sending} waits={!deciding.settled} onClick={leave}>
              {deciding.sending ? WORDS.sending : WORDS.saveAsNewRevision}
            </Button>
          </>
        )}
        <Button tone="ghost" disabled={deciding.sending} onClick={drop}>
          {WORDS.discard}
        </Button>
      </div>
    </section>
  );
}
