import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { problemFrom } from "@/lib/api";

interface Props {
  what: "run" | "session" | "change";
  cancelling: UseMutationResult<unknown, Error, string | null>;
  onClose: () => void;
}

/** The second step before work is stopped for good. */
export default function CancelDialog({ what, cancelling, onClose }: Props) {
  const [reason, setReason] = useState("");
  return (
    <Dialog title={`Cancel this ${what}?`} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          cancelling.mutate(reason.trim() || null, {
            onSuccess: () => {
              onClose();
              toast({ title: `The ${what} was cancelled.`, tone: "good" });
            },
          });
        }}
      >
        <p className="text-ink-2">
          It stops within a second or two, and its open questions are withdrawn. Anything it has already done stays done. A cancelled {what}{" "}
          cannot be resumed.
        </p>
        <Field label="Reason (optional)" hint="Recorded, and shown to the people who were asked.">
          {(props) => <Input {...props} value={reason} onChange={(event) => setReason(event.target.value)} />}
        </Field>
        {cancelling.isError ? <Notice tone="error" title={problemFrom(cancelling.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton>Keep it running</BackButton>
          <Button type="submit" tone="critical" disabled={cancelling.isPending}>
            {cancelling.isPending ? "Cancelling…" : `Cancel ${what}`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
