import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { TEXTS } from "@/components/texts";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { problemFrom } from "@/lib/api";

const WORDS = TEXTS.cancelDialog;

interface Props {
  what: "run" | "session" | "change";
  cancelling: UseMutationResult<unknown, Error, string | null>;
  onClose: () => void;
}

/** The second step before work is stopped for good. */
export default function CancelDialog({ what, cancelling, onClose }: Props) {
  const [reason, setReason] = useState("");
  return (
    <Dialog title={WORDS.cancelThis(what)} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          cancelling.mutate(reason.trim() || null, {
            onSuccess: () => {
              onClose();
              toast({ title: WORDS.theWasCancelled(what), tone: "good" });
            },
          });
        }}
      >
        <p className="text-ink-2">
          {WORDS.itStopsWithinSecondOr(what)}
        </p>
        <Field label={WORDS.reason} hint={WORDS.recorded}>
          {(props) => <Input {...props} value={reason} onChange={(event) => setReason(event.target.value)} />}
        </Field>
        {cancelling.isError ? <Notice tone="error" title={problemFrom(cancelling.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton>{WORDS.keepItRunning}</BackButton>
          <Button type="submit" tone="critical" disabled={cancelling.isPending}>
            {cancelling.isPending ? WORDS.cancelling : WORDS.cancel(what)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
