/** What the person does with a hold: the mode of the page, what is sent, what the server said, where it goes on. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { toast } from "@/components/toasts";
import { useCancel, useWithdraw } from "@/features/hold/api";
import { problemFrom, type Problem } from "@/lib/api";
import { useDraft } from "@/lib/drafts";
import { line, words } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { useMe } from "@/lib/me";
import { neighbour } from "@/lib/order";
import { useReview, type Review } from "@/lib/reviewing";
import { approvals, approvalsNeeded } from "@/lib/wording";

export type Mode = "look" | "approve" | "confirm" | "reject" | "amend";

export interface Deciding {
  mode: Mode;
  setMode: (mode: Mode) => void;
  reason: string;
  setReason: (reason: string) => void;
  /** Approves, or first asks for what is still needed: a justification, the target. */
  approve: () => void;
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
 * seen what it becomes. */
export function useDeciding(seen: Hold, now: Hold, onAmended: (hold: Hold) => void): Deciding {
  const me = useMe();
  const goOn = useGoOn(now.id);
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  const [mode, setMode] = useState<Mode>("look");
  const [reason, setReason, dropReason] = useDraft(`reason:${now.id}`, "");
  const reviewing = useReview(now.id);
  const withdrawing = useWithdraw(now.id);
  const cancelling = useCancel(now.id);
  const approved = now.reviews.some((review) => review.by.id === me.id && review.verdict === "approve");
  const mine = approved && !isLeftOpen(now);
  const canWithdraw = approved && now.redeemed === null && (now.status === "approved" || now.status === "pending");

  // the answers below come even where the person has gone on to another hold meanwhile
  async function withdraw() {
    try {
      await withdrawing.mutateAsync(null);
      toast({ title: "Your approval is withdrawn. The hold waits again.", tone: "good" });
    } catch (error) {
      toast({ title: problemFrom(error).message, tone: "error" });
    }
  }

  async function send(review: Omit<Review, "digest">, done?: () => void) {
    try {
      const after = await reviewing.mutateAsync({ reason: reason.trim() || null, ...review, digest: seen.digest });
      dropReason();
      done?.();
      tell(after, review.verdict);
      if (review.verdict === "amend") onAmended(after);
      else if (here.current) goOn();
    } catch (error) {
      if (!here.current) toast({ title: `${line(seen.title)}: ${problemFrom(error).message}`, tone: "error" });
    }
    setMode("look");
  }

  function tell(after: Hold, verdict: Review["verdict"]) {
    if (verdict === "amend") {
      toast({ title: `Amended: this is now revision ${after.revision}.`, tone: "good" });
      return;
    }
    const offer = verdict === "approve" ? { action: { label: "Undo", run: () => void withdraw() } } : {};
    toast({ id: `decided ${after.id}`, title: told(after), tone: "good", ...offer });
  }

  function approve() {
    const needsReason = seen.requirements.justification && reason.trim() === "";
    if (mine) return;
    if (needsReason && mode !== "approve") setMode("approve");
    else if (needsReason) return;
    else if (seen.risk === "critical") setMode("confirm");
    else void send({ verdict: "approve" });
  }

  return {
    mode,
    setMode,
    reason,
    setReason,
    approve,
    send: (review, done) => void send(review, done),
    sending: reviewing.isPending || withdrawing.isPending || cancelling.isPending,
    refusal: reviewing.isError ? problemFrom(reviewing.error) : cancelling.isError ? problemFrom(cancelling.error) : null,
    mine,
    canWithdraw,
    withdraw: () => void withdraw(),
    cancel: () => cancelling.mutate(reason.trim() || null, { onSuccess: () => goOn() }),
  };
}

/** An amendment counts as an approval and never decides: where no other is needed, the amender still has to say so. */
function isLeftOpen(hold: Hold): boolean {
  return hold.revision > 1 && approvals(hold) >= approvalsNeeded(hold);
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

function told(hold: Hold): string {
  const title = line(hold.title);
  if (hold.status !== "pending") return `${title}: ${hold.status}.`;
  const missing = hold.requirements.required.map((group) => group.map(words).join(" or ")).join(", ");
  return `${title}: your review is recorded, ${approvals(hold)} of ${approvalsNeeded(hold)}${missing ? ` (${missing})` : ""}.`;
}
