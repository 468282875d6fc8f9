import { useState, type SyntheticEvent } from "react";
import { TEXTS } from "@/components/texts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useSetBrake } from "@/lib/brakes";
import { problemFrom } from "@/lib/api";

const WORDS = TEXTS.setBrake;

/** Two steps to stop one agent, or all of them; `agent` is the one that is meant already. */
export default function SetBrake({ agent: meant = "", onClose }: { agent?: string; onClose: () => void }) {
  const [agent, setAgent] = useState(meant);
  const [deny, setDeny] = useState(false);
  const [reason, setReason] = useState("");
  const [sure, setSure] = useState(false);
  const setting = useSetBrake();
  const whom = agent.trim() || WORDS.everyAgent;
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (!sure) setSure(true);
    else setting.mutate({ agent: agent.trim() || null, pending: deny ? "deny" : "freeze", reason: reason.trim() }, { onSuccess: onClose });
  }
  return (
    <Dialog title={WORDS.emergencyBrake} onClose={onClose}>
      <form className="space-y-4" onSubmit={submit}>
        <p className="text-ink-2">{WORDS.whileItIsOn}</p>
        <Field label={WORDS.agentToStop} hint={WORDS.leaveEmptyToStopEvery}>
          {(props) => <Input {...props} value={agent} disabled={sure} onChange={(event) => setAgent(event.target.value)} />}
        </Field>
        <label className="flex items-center gap-2">
          <input type="checkbox" className="size-4 accent-accent" checked={deny} disabled={sure} onChange={(event) => setDeny(event.target.checked)} />
          {WORDS.alsoRejectEverythingPendingAnd}
        </label>
        <Field label={WORDS.reason}>
          {(props) => <TextArea {...props} rows={2} required value={reason} disabled={sure} onChange={(event) => setReason(event.target.value)} />}
        </Field>
        {sure ? (
          <Notice tone="warning" title={WORDS.stopNow(whom)}>
            {deny ? WORDS.everythingTheyHavePendingIs : WORDS.pendingHoldsStayOpenAnd} {WORDS.administratorCanLiftIt}
          </Notice>
        ) : null}
        {setting.isError ? <Notice tone="error" title={problemFrom(setting.error).message} /> : null}
        <div className="flex justify-end gap-2">
          {sure ? <Button onClick={() => setSure(false)}>{WORDS.back}</Button> : <BackButton />}
          <Button type="submit" tone={sure ? "critical" : "danger"} disabled={reason.trim() === "" || setting.isPending}>
            {setting.isPending ? WORDS.stopping : sure ? WORDS.yes(whom) : WORDS.next}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
