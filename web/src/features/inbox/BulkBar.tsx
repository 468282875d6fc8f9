/** Decide the selected holds together: first shown once more, each by what it does. */
import { useState } from "react";
import { RiskWord } from "@/components/risk";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useBulkReview, type BulkResult } from "@/features/inbox/api";
import type { Selection } from "@/features/inbox/selection";
import { problemFrom } from "@/lib/api";
import { line, plural } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { effectText } from "@/lib/wording";

type Verdict = "approve" | "reject";

export function BulkBar({ selection }: { selection: Selection }) {
  const [asked, setAsked] = useState<{ verdict: Verdict; holds: Hold[] } | null>(null);
  const { holds } = selection;
  return (
    <>
      {holds.length > 0 ? (
        <div className="flex items-center gap-2 border-t border-line bg-panel px-4 py-2.5">
          <p role="status" className="flex-1 font-medium">
            {holds.length} selected
          </p>
          <Button size="sm" tone="ghost" onClick={selection.clear}>
            Clear
          </Button>
          <Button size="sm" tone="danger" onClick={() => setAsked({ verdict: "reject", holds })}>
            Reject…
          </Button>
          <Button size="sm" tone="accent" onClick={() => setAsked({ verdict: "approve", holds })}>
            Approve…
          </Button>
        </div>
      ) : null}
      {asked ? (
        <BulkDialog
          {...asked}
          onClose={() => {
            setAsked(null);
            selection.clear();
          }}
          onBack={() => setAsked(null)}
        />
      ) : null}
    </>
  );
}

interface DialogProps {
  verdict: Verdict;
  holds: Hold[];
  onClose: () => void;
  onBack: () => void;
}

function BulkDialog({ verdict, holds, onClose, onBack }: DialogProps) {
  const [reason, setReason] = useState("");
  const deciding = useBulkReview();
  const needed = verdict === "approve" && holds.some((hold) => hold.requirements.justification);
  const name = verdict === "approve" ? "Approve" : "Reject";
  if (deciding.isSuccess) return <Results result={deciding.data} holds={holds} onClose={onClose} />;
  return (
    <Dialog title={`${name} ${plural(holds.length, "hold")}?`} onClose={onBack} wide>
      <div className="space-y-4">
        <ul className="max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line" tabIndex={0} aria-label="What is decided">
          {holds.map((hold) => (
            <li key={hold.id} className="px-4 py-2.5">
              <p className="flex items-baseline justify-between gap-3">
                <span className="font-medium">{line(hold.title)}</span>
                <RiskWord level={hold.risk} className="text-xs" />
              </p>
              <p className="text-xs break-words text-ink-2">{effectText(hold)}</p>
            </li>
          ))}
        </ul>
        <Field label={needed ? "Justification (needed)" : "Reason (optional)"} hint="It is recorded with each of them.">
          {(props) => <TextArea {...props} rows={2} value={reason} onChange={(e) => setReason(e.target.value)} />}
        </Field>
        {deciding.isError ? <Notice tone="error" title={problemFrom(deciding.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onBack}>Back</Button>
          <Button
            tone={verdict === "approve" ? "accent" : "critical"}
            disabled={deciding.isPending || (needed && reason.trim() === "")}
            onClick={() =>
              deciding.mutate({
                verdict,
                holds: holds.map(({ id, digest }) => ({ id, digest })),
                reason: reason.trim() || null,
              })
            }
          >
            {deciding.isPending ? "Deciding…" : `${name} exactly these ${holds.length}`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Results({ result, holds, onClose }: { result: BulkResult; holds: Hold[]; onClose: () => void }) {
  const failed = result.results.filter((one) => !one.ok);
  const done = result.results.length - failed.length;
  const title = (id: string) => line(holds.find((hold) => hold.id === id)?.title ?? id);
  return (
    <Dialog title="Done" onClose={onClose} wide>
      <div className="space-y-4">
        <Notice tone={failed.length > 0 ? "warning" : "good"} title={`Recorded for ${plural(done, "hold")}.`}>
          {failed.length > 0 ? `${plural(failed.length, "hold")} could not be decided:` : null}
        </Notice>
        {failed.length > 0 ? (
          <ul className="space-y-2">
            {failed.map((one) => (
              <li key={one.id}>
                <p className="font-medium">{title(one.id)}</p>
                <p className="text-ink-2">{one.message}</p>
              </li>
            ))}
          </ul>
        ) : null}
        <div className="flex justify-end">
          <Button tone="accent" onClick={onClose} autoFocus>
            Back to the inbox
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
