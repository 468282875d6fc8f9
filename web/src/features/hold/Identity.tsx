import { Link } from "@tanstack/react-router";
import { CopyButton } from "@/components/ui/copy";
import { TEXTS } from "@/features/hold/texts";
import type { Hold } from "@/lib/holds";
import { readsAll, useMe } from "@/lib/me";

const WORDS = TEXTS.identity;

/** What a decision is bound to. */
export default function Identity({ hold }: { hold: Hold }) {
  return (
    <footer className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line pt-4 text-xs text-ink-3">
      <span className="inline-flex items-center gap-1">
        {WORDS.hold} <code title={hold.id}>{hold.short_id}</code>
        <CopyButton text={hold.short_id} label={WORDS.copyHoldId} />
      </span>
      <span className="inline-flex items-center gap-1">
        {WORDS.digest} <code title={hold.digest}>{hold.digest.slice(0, 12)}…</code>
        <CopyButton text={hold.digest} label={WORDS.copyDigest} />
      </span>
      <span>{WORDS.policyVersion(hold.policy_version)}</span>
      {readsAll(useMe()) ? (
        <Link to="/audit" search={{ hold: hold.short_id }} className="underline underline-offset-2 hover:text-ink">
          {WORDS.auditTrail}
        </Link>
      ) : null}
      {hold.run_id ? (
        <Link
          to="/runs/$runId"
          params={{ runId: hold.run_id }}
          className="underline underline-offset-2 hover:text-ink"
        >
          {WORDS.run} {hold.run_short_id}
        </Link>
      ) : null}
    </footer>
  );
}
