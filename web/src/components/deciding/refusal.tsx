import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import type { Problem } from "@/lib/api";
import { outcome } from "@/lib/wording";
import { TEXTS } from "@/components/deciding/texts";

const WORDS = TEXTS.refusal;

interface DecidedData {
  outcome?: string;
  basis?: string;
  decided_at?: string;
  decided_by?: { name: string } | null;
  on_behalf_of?: { name: string } | null;
}

/** Why the server did not take it, and what is safe. */
export default function Refusal({ problem }: { problem: Problem }) {
  const data = problem.data as DecidedData;
  if (problem.code === "already_decided" && data.outcome && data.decided_at) {
    const made = { outcome: data.outcome, basis: data.basis ?? "", by: data.decided_by ?? null, on_behalf_of: data.on_behalf_of ?? null };
    return (
      <Notice
        tone="warning"
        title={
          <>
            {WORDS.already(outcome(made))} <Ago at={data.decided_at} />
          </>
        }
      >
        {WORDS.yourDecisionArrivedLaterAnd}
      </Notice>
    );
  }
  if (problem.code === "stale_digest") {
    return (
      <Notice tone="warning" title={WORDS.thisChangedBeforeYourDecision}>
        {WORDS.nothingWasRecorded}
      </Notice>
    );
  }
  if (problem.code === "unchanged") {
    return (
      <Notice tone="warning" title={WORDS.youChangedNothing}>
        {WORDS.approveAsIs}
      </Notice>
    );
  }
  return (
    <Notice tone="error" title={problem.message}>
      {problem.unreachable ? WORDS.checkHoldBeforeYouTry : WORDS.nothingAtAll}
    </Notice>
  );
}
