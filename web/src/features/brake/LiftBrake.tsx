import { useState } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { TEXTS } from "@/features/brake/texts";
import { useLiftBrake, type Brake } from "@/lib/brakes";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";

const WORDS = TEXTS.liftBrake;

export default function LiftBrake({ brake, onClose }: { brake: Brake; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const lifting = useLiftBrake();
  return (
    <Dialog title={WORDS.liftTheBrake} onClose={onClose}>
      <form
        className="space-y-4 text-ink"
        onSubmit={(event) => {
          event.preventDefault();
          lifting.mutate(
            { agent: brake.agent?.id ?? null, reason: reason.trim() },
            {
              onSuccess: () => {
                onClose();
                toast({ title: WORDS.brakeIsLifted, tone: "good" });
              },
            },
          );
        }}
      >
        <Field label={WORDS.reason}>
          {(props) => <TextArea {...props} rows={2} required value={reason} onChange={(event) => setReason(event.target.value)} />}
        </Field>
        {lifting.isError ? <Notice tone="error" title={problemFrom(lifting.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="accent" disabled={reason.trim() === "" || lifting.isPending}>
            {WORDS.let} {brake.agent ? line(brake.agent.name) : WORDS.allAgents} {WORDS.continue}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
