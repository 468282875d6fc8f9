import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Replayed } from "@/components/replayed";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { useApply } from "@/features/policy/api";
import type { PolicyCase } from "@/features/policy/cases";
import { TEXTS } from "@/features/policy/texts";
import { problemFrom } from "@/lib/api";
import { plain } from "@/lib/format";
import { replayQuery } from "@/lib/replay";

const WORDS = TEXTS.apply;

interface Props {
  files: Record<string, string>;
  cases: PolicyCase[];
  changes: string[];
  onClose: () => void;
  onDone: () => void;
}

/** The second step, with what changes in words and a reason. */
export default function Apply({ files, cases, changes, onClose, onDone }: Props) {
  const [reason, setReason] = useState("");
  const applying = useApply();
  const replay = useQuery(replayQuery(files));
  return (
    <Dialog title={WORDS.title} onClose={onClose} wide>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          applying.mutate(
            { files, cases, reason: reason.trim() },
            {
              onSuccess: (applied) => {
                toast({ title: WORDS.done(applied.version), tone: "good" });
                onDone();
              },
            },
          );
        }}
      >
        <p className="text-ink-2">{WORDS.note}</p>
        {changes.length > 0 ? (
          <ul className="max-h-60 list-disc overflow-y-auto rounded-lg border border-line py-2 pr-3 pl-8" tabIndex={0} aria-label={TEXTS.differs}>
            {changes.map((change) => (
              <li key={change}>{plain(change)}</li>
            ))}
          </ul>
        ) : (
          <p>{TEXTS.onlyForm}</p>
        )}
        <h3 className="font-medium">{WORDS.past}</h3>
        {replay.data ? <Replayed replay={replay.data} /> : replay.isError ? <Notice tone="warning" title={problemFrom(replay.error).message} /> : <Waiting what={WORDS.replay} />}
        <Field label={WORDS.reason} hint={WORDS.reasonHint}>
          {(props) => <TextArea {...props} rows={2} required value={reason} onChange={(event) => setReason(event.target.value)} />}
        </Field>
        {applying.isError ? <Notice tone="error" title={problemFrom(applying.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="accent" disabled={reason.trim() === "" || applying.isPending}>
            {applying.isPending ? WORDS.sending : WORDS.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
