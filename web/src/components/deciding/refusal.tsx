import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import type { Problem } from "@/lib/api";
import { outcome } from "@/lib/wording";

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
            Already {outcome(made)} <Ago at={data.decided_at} />
          </>
        }
      >
        Your decision arrived later and was not recorded.
      </Notice>
    );
  }
  if (problem.code === "stale_digest") {
    return (
      <Notice tone="warning" title="This changed before your decision arrived.">
        Nothing was recorded. Read the new version, then decide.
      </Notice>
    );
  }
  if (problem.code === "unchanged") {
    return (
      <Notice tone="warning" title="You changed nothing, so there is nothing to amend.">
        Nothing was recorded. Approve it as is, or change something.
      </Notice>
    );
  }
  return (
    <Notice tone="error" title={problem.message}>
      {problem.unreachable ? "Check the hold before you try again. This page updates as soon as the server is back." : "Nothing was recorded."}
    </Notice>
  );
}
