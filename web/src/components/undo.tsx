/** The way back from the last decision, in the top bar and by `u`, for as long as there is one. */
import { useQueries } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useEffect } from "react";
import { noticeOf, useTakeBack } from "@/components/taking-back";
import { TEXTS } from "@/components/texts";
import { endOffer, toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { line, plural } from "@/lib/format";
import { holdQuery, type Hold } from "@/lib/holds";
import { useKeys } from "@/lib/keys";
import { useLastDecision, type LastDecision } from "@/lib/last-decision";
import { useMe } from "@/lib/me";
import { canWithdraw, outcome } from "@/lib/wording";

const WORDS = TEXTS.undo;

const NONE: LastDecision = { verdict: "approve", holds: [] };

export default function Undo() {
  const last = useLastDecision();
  const made = last ?? NONE;
  const me = useMe();
  const takeBack = useTakeBack();
  const known = useQueries({ queries: made.holds.map(({ id }) => holdQuery(id)) });
  const standing = made.holds.filter((_, index) => known[index]?.data && canWithdraw(known[index].data, me.id));
  const standingNow = made.takenBack === undefined && standing.length > 0;
  const gone = last !== null && !standingNow && known.every((one) => one.data !== undefined);
  useEffect(() => {
    // an offer that no longer holds is not left standing
    if (gone && !made.takenBack) endOffer(noticeOf(made));
  }, [gone, made]);

  // before the first decision the key is the open hold's
  const undo = () => (standingNow ? void takeBack({ ...made, holds: standing }) : toast({ title: why(made, known[0]?.data) }));
  useKeys(last ? { u: undo } : {});
  if (!standingNow) return null;
  const what = standing.length === 1 ? WORDS.yourApprovalOf(standing[0]?.title ?? "") : WORDS.yourApprovalOf(plural(standing.length, "hold"));
  return (
    <Button tone="ghost" size="sm" title={WORDS.undo(what)} onClick={undo}>
      <Undo2 aria-hidden className="size-4" />
      <span className="max-sm:sr-only">
        {WORDS.undoIt} <span className="sr-only">{what}</span>
      </span>
      <Kbd>u</Kbd>
    </Button>
  );
}

/** Why there is no way back: a key that does nothing says so. */
function why(made: LastDecision, hold: Hold | undefined): string {
  const name = made.holds.length === 1 ? (made.holds[0]?.title ?? "") : plural(made.holds.length, "hold");
  if (made.takenBack) return WORDS.youAlreadyWithdrewThis(name);
  if (made.verdict === "reject") return WORDS.aRejectionCannotBeUndone(name);
  if (made.verdict === "answer") return WORDS.anAnswerCannotBeUndone(name);
  if (hold?.redeemed) return WORDS.usedBySoItCannot(line(hold.redeemed.by.name), name);
  if (hold?.decision) return WORDS.youHaveNothingToUndo(name, outcome(hold.decision));
  return WORDS.yourApprovalNoLongerCounts(name);
}
