/** The second step of a decision: a reason, a second motion, the target's name. */
import { useState } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import type { Deciding } from "@/components/deciding/deciding";
import { line } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { capital, effectText, headline, outcome } from "@/lib/wording";

export function WithReason({ deciding, verdict, needed }: { deciding: Deciding; verdict: "approve" | "reject"; needed: boolean }) {
  const { reason, setReason, sending } = deciding;
  const blocked = sending || (needed && reason.trim() === "");
  function go() {
    if (blocked) return;
    // what was written is the second motion
    if (verdict === "approve") deciding.approve(true);
    else deciding.send({ verdict: "reject" });
  }
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <Field
        label={needed ? "Justification" : "Reason (optional)"}
        hint={verdict === "reject" ? "Sent to the agent and recorded. A rejection cannot be undone." : "Required by policy, and recorded."}
      >
        {(props) => (
          <TextArea
            {...props}
            rows={2}
            autoFocus
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") deciding.setMode("look");
              if (event.key === "Enter" && !event.shiftKey) {
                event.preventDefault();
                if (!event.repeat) go();
              }
            }}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" tone={verdict === "approve" ? "accent" : "critical"} disabled={blocked}>
          {sending ? "Sending…" : verdict === "approve" ? "Approve" : "Reject"} <Kbd>↵</Kbd>
        </Button>
        <Button tone="ghost" onClick={() => deciding.setMode("look")}>
          Back
        </Button>
      </div>
    </form>
  );
}

/** The second motion of a high approval. The way back is where "Approve" was: a double tap decides nothing. */
export function Sure({ deciding }: { deciding: Deciding }) {
  const back = () => deciding.setMode("look");
  return (
    <div
      role="group"
      aria-label="High risk: approve?"
      className="space-y-2.5"
      // here Escape is the way back from this step, not from the hold
      data-escape
      onKeyDown={(event) => event.key === "Escape" && back()}
    >
      <p className="text-high">
        <strong className="font-medium">High risk.</strong> Approve? Next time you can also press and hold the button.
      </p>
      <div className="flex gap-2">
        <Button className="min-w-34" disabled={deciding.sending} onClick={back}>
          Back <Kbd>esc</Kbd>
        </Button>
        <Button tone="accent" autoFocus disabled={deciding.sending} onClick={() => deciding.approve(true)}>
          {deciding.sending ? "Sending…" : "Yes, approve"} <Kbd>↵</Kbd>
        </Button>
      </div>
    </div>
  );
}

/** The second step of a critical approval: the target's name, typed. However it is left, it says what it did. */
export function Confirm({ hold, open, deciding }: { hold: Hold; open: boolean; deciding: Deciding }) {
  const [typed, setTyped] = useState("");
  const [tried, setTried] = useState(false);
  const name = line(hold.action?.target ?? hold.action?.name ?? hold.title);
  const right = typed.trim() === name;
  function leave() {
    deciding.setMode("look");
    toast({ title: `Not approved: ${headline(hold)}. Nothing was recorded.` });
  }
  if (!open) {
    return (
      <Dialog key="overtaken" title="No longer open" onClose={() => deciding.setMode("look")} asks={false}>
        <div className="space-y-4">
          <Notice tone="warning" title={hold.decision ? `${capital(outcome(hold.decision))} while you were typing.` : "This changed while you were typing."}>
            Your decision was not recorded.
          </Notice>
          <BackButton>Back to the hold</BackButton>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="This is critical" onClose={leave} asks={false}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (right) deciding.send({ verdict: "approve" });
        }}
      >
        <p className="break-words">{effectText(hold)}</p>
        {deciding.reason ? <p className="text-ink-2">Your justification: “{line(deciding.reason)}”</p> : null}
        <Field label={`Type ${name} to approve`} error={tried && !right ? `This is not ${name}. Nothing has been recorded yet.` : null}>
          {(props) => (
            <Input
              {...props}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => event.key === "Enter" && setTried(true)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="critical" disabled={!right || deciding.sending}>
            {deciding.sending ? "Sending…" : "Approve"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
