/** The decision, at the foot of the work: what happens on approval, what was marked, and the buttons of every hold. */
import { Link, useNavigate } from "@tanstack/react-router";
import { DecisionBar } from "@/components/deciding/decision-bar";
import Overtaken from "@/components/overtaken";
import { HoldMark } from "@/components/risk";
import { Button } from "@/components/ui/button";
import { reasonOf, type Reviewing } from "@/features/changes/reviewing";
import { changeEffect, sentLeftOut } from "@/lib/change-holds";
import { cn } from "@/lib/cn";
import { useNow } from "@/lib/clock";
import { deadline, plural } from "@/lib/format";
import { needsBriefly } from "@/lib/wording";

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
            <span>needs {needsBriefly(now)}</span>
            {left ? <span>{left}</span> : null}
            <Link to="/holds/$holdId" params={{ holdId: now.id }} className="underline underline-offset-2 hover:text-ink">
              {now.short_id}: rules and discussion
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
    <section aria-label="Decision" className="px-4 py-3 sm:px-8">
      <div className="mx-auto flex max-w-3xl flex-wrap items-center gap-2">
        {remarks.length > 0 ? (
          <>
            <p className="mr-auto">
              {plural(remarks.length, "comment")} for the agent.{" "}
              <span className="text-ink-3">{leftOut.length > 0 ? "What you left out is not sent with them." : "It mends the change, which is then tested again."}</span>
            </p>
            <Button tone="accent" disabled={deciding.sending} waits={!deciding.settled} onClick={() => deciding.send({ verdict: "reject", reason: reasonOf(remarks) }, () => review.setRemarks([]))}>
              {deciding.sending ? "Sending…" : "Send back to the agent"}
            </Button>
          </>
        ) : (
          <>
            <p className="mr-auto">{leftOut.length === 0 ? "Everything is included again." : `${plural(hunks, "part")} left out.`}</p>
            <Button tone="accent" disabled={deciding.sending} waits={!deciding.settled} onClick={leave}>
              {deciding.sending ? "Sending…" : "Save as new revision"}
            </Button>
          </>
        )}
        <Button tone="ghost" disabled={deciding.sending} onClick={drop}>
          Discard
        </Button>
      </div>
    </section>
  );
}
