/** Takes a decision back, and says whether that was still possible. */
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { toast } from "@/components/toasts";
import { answered, client, problemFrom } from "@/lib/api";
import { plural } from "@/lib/format";
import { applyHold, holdKeys, type Hold } from "@/lib/holds";
import { noteDecision, type LastDecision } from "@/lib/last-decision";
import { TEXTS } from "@/components/texts";

const WORDS = TEXTS.takingBack;

/** The notice on a decision: the next word on it takes its place. */
export const noticeOf = (made: LastDecision) => `decided ${made.holds.map((hold) => hold.id).join(" ")}`;

/** Withdraws the person's approvals of these, and says of each whether that was still possible. */
export function useTakeBack(): (made: LastDecision) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (made) => {
    const tried = await Promise.allSettled(made.holds.map(({ id }) => withdrawn(id)));
    for (const one of tried) if (one.status === "fulfilled") applyHold(queries, one.value);
    void queries.invalidateQueries({ queryKey: holdKeys.counts });
    const failed = tried.flatMap((one, index) => (one.status === "rejected" ? [`${made.holds[index]?.title ?? ""}: ${problemFrom(one.reason).message}`] : []));
    const done = tried.length - failed.length;
    const [only] = made.holds;
    if (done > 0) {
      noteDecision({ ...made, takenBack: true });
      const show = () => only && void navigate({ to: "/holds/$holdId", params: { holdId: only.id } });
      const single = made.holds.length === 1 && only;
      toast({
        id: noticeOf(made),
        tone: "good",
        title: single ? WORDS.approvalWithdrawnWaitingAgain(only.title) : WORDS.approvalOfWithdrawnTheyAre(plural(done, "hold")),
        ...(single ? { action: { label: "Open", run: show } } : {}),
      });
    }
    for (const title of failed) toast({ title, tone: "error" });
  };
}

function withdrawn(id: string): Promise<Hold> {
  return answered(client.POST("/api/holds/{hold_id}/withdraw", { params: { path: { hold_id: id } }, body: {} }));
}
