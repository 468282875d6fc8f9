/** What the person does with a hold: the mode of the page, what is sent, what the server said, where it goes on. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { toast } from "@/components/toasts";
import { noticeOf, useTakeBack } from "@/components/taking-back";
import { problemFrom, type Problem } from "@/lib/api";
import { useDraft } from "@/lib/drafts";
import type { Hold } from "@/lib/holds";
import { noteDecision } from "@/lib/last-decision";
import { useMe } from "@/lib/me";
import { shownPack } from "@/lib/packs";
import { useCancelHold, useReview, type Review } from "@/lib/reviewing";
import { useSettled } from "@/lib/settled";
import { approvals, approvalsNeeded, canWithdraw, headline, missing } from "@/lib/wording";
import { TEXTS } from "@/components/deciding/texts";

const WORDS = TEXTS.deciding;

/** "sure" is the second motion of a high approval, "confirm" that of a critical one. */
export type Mode = "look" | "approve" | "sure" | "confirm" | "reject" | "amend" | "respond";

export interface Deciding {
  mode: Mode;
  setMode: (mode: Mode) => void;
  /** Whether what is shown was readable long enough to be decided; before that nothing is sent. */
  settled: boolean;
  reason: string;
  setReason: (reason: string) => void;
  /** Who is away, for whom it is decided; nobody where the server's own choice is meant. */
  absent: string | null;
  setAbsent: (id: string | null) => void;
  /** Approves, or first asks for what is still needed: a justification, a second motion, the target. `meant` is that
   * second motion. */
  approve: (meant?: boolean) => void;
  /** `done` when the server has taken it. */
  send: (review: Omit<Review, "digest">, done?: () => void) => void;
  sending: boolean;
  refusal: Problem | null;
  /** Has approved, and others have not. */
  mine: boolean;
  canWithdraw: boolean;
  withdraw: () => void;
  cancel: () => void;
}

/** `seen` is what stands on the page, and so what is decided; `now` is the hold as the server has it. Who amends has
 * seen what it becomes. After a decision `goOn` leads on. */
export function useDeciding(seen: Hold, now: Hold, onAmended: (hold: Hold) => void, goOn: () => void): Deciding {
  const me = useMe();
  const takeBack = useTakeBack();
  const queries = useQueryClient();
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  const settled = useSettled(`${now.id} ${seen.digest}`);
  const [mode, setMode] = useState<Mode>("look");
  const [reason, setReason, dropReason] = useDraft(`reason:${now.id}`, "");
  const [absent, setAbsent] = useState<string | null>(null);
  const reviewing = useReview(now.id);
  const cancelling = useCancelHold(now.id);
  const takesBack = canWithdraw(now, me.id);
  const mine = now.reviews.some((review) => review.by.id === me.id && review.verdict === "approve") && !isLeftOpen(now);
  const sending = reviewing.isPending || cancelling.isPending;

  // the answer comes even where the person has gone on to another hold meanwhile
  async function send(review: Omit<Review, "digest">, done?: () => void) {
    if (!settled || sending) return;
    try {
      // a response is all that its giver says
      const why = review.verdict === "respond" ? null : reason.trim() || null;
      const after = await reviewing.mutateAsync({ reason: why, on_behalf_of: absent, pack: shownPack(queries, seen), ...review, digest: seen.digest });
      dropReason();
      done?.();
      tell(after, review.verdict);
      if (review.verdict === "amend") onAmended(after);
      else if (here.current) goOn();
    } catch (error) {
      if (!here.current) toast({ title: `${headline(seen)}: ${problemFrom(error).message}`, tone: "error" });
    }
    setMode("look");
  }

  function tell(after: Hold, verdict: Review["verdict"]) {
    const made = { verdict, holds: [{ id: after.id, title: headline(after) }] };
    noteDecision(made);
    const offer = canWithdraw(after, me.id) && verdict === "approve" ? { action: { label: "Undo", run: () => void takeBack(made) } } : {};
    toast({ id: noticeOf(made), title: verdict === "amend" ? toldAmended(after, me.id) : told(after), tone: "good", ...offer });
  }

  function approve(meant = false) {
    if (!settled || mine || sending) return;
    if (seen.requirements.justification && reason.trim() === "") setMode("approve");
    else if (seen.risk === "critical") setMode("confirm");
    else if (seen.risk === "high" && !meant) setMode("sure");
    else void send({ verdict: "approve" });
  }

  return {
    mode,
    setMode: (next) => (settled || next === "look") && setMode(next),
    settled,
    reason,
    setReason,
    absent,
    setAbsent,
    approve,
    send: (review, done) => void send(review, done),
    sending,
    refusal: reviewing.isError ? problemFrom(reviewing.error) : cancelling.isError ? problemFrom(cancelling.error) : null,
    mine,
    canWithdraw: takesBack,
    withdraw: () => void takeBack({ verdict: "approve", holds: [{ id: now.id, title: headline(now) }] }),
    cancel: () => cancelling.mutate(reason.trim() || null, { onSuccess: () => goOn() }),
  };
}

/** An amendment counts as an approval and never decides: where no other is needed, the amender still has to say so. */
function isLeftOpen(hold: Hold): boolean {
  return hold.revision > 1 && approvals(hold) >= approvalsNeeded(hold);
}

function told(hold: Hold): string {
  const title = headline(hold);
  if (hold.status !== "pending") return `${title}: ${hold.status}.`;
  const left = missing(hold);
  return WORDS.approvalOfRecorded(title, approvals(hold), approvalsNeeded(hold), left ? ` ${WORDS.itNeeds(left)}` : "");
}

/** What the amendment did, and what it still takes. */
export function toldAmended(hold: Hold, me: string): string {
  const counts = hold.reviews.some((review) => review.by.id === me && review.verdict === "approve");
  const left = missing(hold);
  const next = left ? WORDS.itNeeds(left) : WORDS.noOneElseIsNeeded;
  return WORDS.amendedThisIsNowRevision(hold.revision, counts ? WORDS.thatCountsAsYourApproval : WORDS.thatDoesNotCountAs, next);
}
