/** The emergency brake in the top bar: two steps to set it, and a banner for all while it is on. */
import { useQuery } from "@tanstack/react-query";
import { OctagonX } from "lucide-react";
import { useState, type SyntheticEvent } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { brakesQuery, useLiftBrake, useSetBrake, type Brake } from "@/features/brake/api";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";
import { administers, useMe } from "@/lib/me";

export function BrakeButton() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button tone="ghost" size="sm" className="text-critical hover:bg-critical-soft hover:text-critical" onClick={() => setAsking(true)}>
        <OctagonX aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Brake</span>
      </Button>
      {asking ? <SetBrake onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function SetBrake({ onClose }: { onClose: () => void }) {
  const [agent, setAgent] = useState("");
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

/** For everybody, on every page, as long as a brake is on. */
export function BrakeBanner() {
  const brakes = useQuery(brakesQuery).data ?? [];
  return brakes.map((brake) => <Banner key={brake.agent?.id ?? "all"} brake={brake} />);
}

function Banner({ brake }: { brake: Brake }) {
  const me = useMe();
  const [lifting, setLifting] = useState(false);
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-critical-soft px-4 py-2 text-critical">
      <OctagonX aria-hidden className="size-4 shrink-0" />
      <p className="mr-auto min-w-0 break-words">
        <strong className="font-semibold">{brake.agent ? line(brake.agent.name) : "Every agent"} is stopped</strong> by {line(brake.set_by.name)}{" "}
        <Ago at={brake.set_at} />: {line(brake.reason)}
      </p>
      {administers(me) ? (
        <Button size="sm" onClick={() => setLifting(true)}>
          Lift the brake…
        </Button>
      ) : null}
      {lifting ? <LiftBrake brake={brake} onClose={() => setLifting(false)} /> : null}
    </div>
  );
}

function LiftBrake({ brake, onClose }: { brake: Brake; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const lifting = useLiftBrake();
  return (
    <Dialog title="Lift the brake" onClose={onClose}>
      <form
        className="space-y-4 text-ink"
        onSubmit={(event) => {
          event.preventDefault();
          lifting.mutate(
            { agent: brake.agent?.id ?? null, reason: reason.trim() },
            {
              onSuccess: () => {
                onClose();
                toast({ title: "The brake is lifted.", tone: "good" });
              },
            },
          );
        }}
      >
        <Field label="Reason">
          {(props) => <TextArea {...props} rows={2} required value={reason} onChange={(event) => setReason(event.target.value)} />}
        </Field>
        {lifting.isError ? <Notice tone="error" title={problemFrom(lifting.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="accent" disabled={reason.trim() === "" || lifting.isPending}>
            Let {brake.agent ? line(brake.agent.name) : "all agents"} continue
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
