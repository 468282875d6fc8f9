/** The selected holds once more, each by what it does; then the decision on exactly these, and what became of it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTakeBack } from "@/components/taking-back";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, TextArea } from "@/components/ui/field";
import { HoldButton } from "@/components/ui/hold-button";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { OneLook } from "@/features/inbox/OneLook";
import { useBulkReview, wholeQuery, type BulkResult } from "@/features/inbox/api";
import { TEXTS } from "@/features/inbox/texts";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";
import type { Hold, HoldRow } from "@/lib/holds";
import { noteDecision, type LastDecision } from "@/lib/last-decision";
import { useSettled } from "@/lib/settled";
import { headline } from "@/lib/wording";

const WORDS = TEXTS.bulk;
export type Verdict = "approve" | "reject";

interface DialogProps {
  verdict: Verdict;
  holds: Hold[];
  onClose: () => void;
  onBack: () => void;
}

/** Rows do not say what their holds would do: those are fetched whole, and decided as they are shown. */
export default function BulkDialog({ holds, ...props }: Omit<DialogProps, "holds"> & { holds: HoldRow[] }) {
  const whole = useQuery(wholeQuery(holds.map((hold) => hold.id)));
  if (whole.data) return <Deciding {...props} holds={whole.data} />;
  return (
    <Dialog title={WORDS.asks(props.verdict, holds.length)} onClose={props.onBack} wide>
      {whole.isError ? <Notice tone="error" title={problemFrom(whole.error).message} /> : <Waiting what={WORDS.waiting} />}
    </Dialog>
  );
}

function Deciding({ verdict, holds, onClose, onBack }: DialogProps) {
  const [reason, setReason] = useState("");
  const [sure, setSure] = useState(false);
  const deciding = useBulkReview();
  const settled = useSettled(holds.map((hold) => hold.digest).join(" "));
  const needed = verdict === "approve" && holds.some((hold) => hold.requirements.justification);
  const high = verdict === "approve" ? holds.filter((hold) => hold.risk === "high").length : 0;
  const off = deciding.isPending || (needed && reason.trim() === "");
  function send() {
    if (!settled || off) return;
    deciding.mutate(
      { verdict, holds: holds.map(({ id, digest }) => ({ id, digest })), reason: reason.trim() || null },
      { onSuccess: (result) => noteDecision({ verdict, holds: taken(result, holds) }) },
    );
  }
  if (deciding.isSuccess) return <Results result={deciding.data} holds={holds} verdict={verdict} onClose={onClose} />;
  return (
    <Dialog title={WORDS.asks(verdict, holds.length)} onClose={onBack} wide>
      <div className="space-y-4">
        <OneLook holds={holds} />
        <Field label={needed ? WORDS.justification : WORDS.reason} hint={WORDS.recorded}>
          {(props) => <TextArea {...props} rows={2} value={reason} onChange={(e) => setReason(e.target.value)} />}
        </Field>
        {deciding.isError ? <Notice tone="error" title={problemFrom(deciding.error).message} /> : null}
        {sure ? (
          <>
            <Notice tone="warning" title={WORDS.high(high, holds.length)} />
            {/* the way back is where the first button was: a double tap decides nothing */}
            <div className="flex justify-end gap-2">
              <Button tone="accent" autoFocus disabled={off} onClick={send}>
                {deciding.isPending ? WORDS.deciding : WORDS.yes(holds.length)}
              </Button>
              <Button className="min-w-48" onClick={() => setSure(false)}>
                {WORDS.back}
              </Button>
            </div>
          </>
        ) : (
          <div className="flex justify-end gap-2">
            <BackButton />
            <HoldButton
              tone={verdict === "approve" ? "accent" : "critical"}
              disabled={off}
              waits={!settled}
              onHeld={send}
              onPressed={high > 0 ? () => setSure(true) : send}
            >
              {deciding.isPending ? WORDS.deciding : WORDS.exactly(verdict, holds.length)}
            </HoldButton>
          </div>
        )}
      </div>
    </Dialog>
  );
}

function taken(result: BulkResult, holds: Hold[]): LastDecision["holds"] {
  const ok = new Set(result.results.filter((one) => one.ok).map((one) => one.id));
  return holds.filter((hold) => ok.has(hold.id)).map((hold) => ({ id: hold.id, title: headline(hold) }));
}

function Results({ result, holds, verdict, onClose }: { result: BulkResult; holds: Hold[]; verdict: Verdict; onClose: () => void }) {
  const takeBack = useTakeBack();
  const failed = result.results.filter((one) => !one.ok);
  const done = taken(result, holds);
  const title = (id: string) => line(holds.find((hold) => hold.id === id)?.title ?? id);
  return (
    <Dialog title={WORDS.done} onClose={onClose} wide>
      <div className="space-y-4">
        <Notice tone={failed.length > 0 ? "warning" : "good"} title={WORDS.recordedFor(done.length)}>
          {failed.length > 0 ? WORDS.failed(failed.length) : null}
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
        <div className="flex justify-end gap-2">
          <Button tone="accent" onClick={onClose}>
            {WORDS.toInbox}
          </Button>
          {verdict === "approve" && done.length > 0 ? (
            <Button
              onClick={() => {
                onClose();
                void takeBack({ verdict, holds: done });
              }}
            >
              {WORDS.undo}
            </Button>
          ) : null}
        </div>
      </div>
    </Dialog>
  );
}
