import { useState, type SyntheticEvent } from "react";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useSetBrake } from "@/lib/brakes";
import { problemFrom } from "@/lib/api";

/** Two steps to stop one agent, or all of them; `agent` is the one that is meant already. */
export default function SetBrake({ agent: meant = "", onClose }: { agent?: string; onClose: () => void }) {
  const [agent, setAgent] = useState(meant);
  const [deny, setDeny] = useState(false);
  const [reason, setReason] = useState("");
  const [sure, setSure] = useState(false);
  const setting = useSetBrake();
  const whom = agent.trim() || "every agent";
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (!sure) setSure(true);
    else setting.mutate({ agent: agent.trim() || null, pending: deny ? "deny" : "freeze", reason: reason.trim() }, { onSuccess: onClose });
  }
  return (
    <Dialog title="Emergency brake" onClose={onClose}>
      <form className="space-y-4" onSubmit={submit}>
        <p className="text-ink-2">While it is on, nothing can be opened, approved, answered or executed. Rejecting still works.</p>
        <Field label="Agent to stop" hint="Leave empty to stop every agent.">
          {(props) => <Input {...props} value={agent} disabled={sure} onChange={(event) => setAgent(event.target.value)} />}
        </Field>
        <label className="flex items-center gap-2">
          <input type="checkbox" className="size-4 accent-accent" checked={deny} disabled={sure} onChange={(event) => setDeny(event.target.checked)} />
          Also reject everything pending and cancel all runs
        </label>
        <Field label="Reason">
          {(props) => <TextArea {...props} rows={2} required value={reason} disabled={sure} onChange={(event) => setReason(event.target.value)} />}
        </Field>
        {sure ? (
          <Notice tone="warning" title={`Stop ${whom} now?`}>
            {deny ? "Everything they have pending is rejected and their runs are cancelled, for good." : "Pending holds stay open and runs pause after their current step. Both continue when the brake is lifted."} An administrator can lift it.
          </Notice>
        ) : null}
        {setting.isError ? <Notice tone="error" title={problemFrom(setting.error).message} /> : null}
        <div className="flex justify-end gap-2">
          {sure ? <Button onClick={() => setSure(false)}>Back</Button> : <BackButton />}
          <Button type="submit" tone={sure ? "critical" : "danger"} disabled={reason.trim() === "" || setting.isPending}>
            {setting.isPending ? "Stopping…" : sure ? `Yes, stop ${whom}` : "Next"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
