/** The second step of a decision: a reason, or a second motion. */
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import type { Deciding } from "@/components/deciding/deciding";

const STEPS = {
  approve: { label: "Justification", hint: "Required by policy, and recorded.", button: "Approve", tone: "accent" },
  reject: { label: "Reason (optional)", hint: "Sent to the agent and recorded. A rejection cannot be undone.", button: "Reject", tone: "critical" },
  respond: {
    label: "Response",
    hint: "The agent reads this in place of a result, and it is recorded. The action does not run. A response cannot be undone.",
    button: "Respond",
    tone: "accent",
  },
} as const;

/** What is written is the reason, or the response itself. */
export function WithReason({ deciding, verdict }: { deciding: Deciding; verdict: keyof typeof STEPS }) {
  const { label, hint, button, tone } = STEPS[verdict];
  const needed = verdict !== "reject";
  const { reason, setReason, sending } = deciding;
  const blocked = sending || (needed && reason.trim() === "");
  function go() {
    if (blocked) return;
    // what was written is the second motion
    if (verdict === "approve") deciding.approve(true);
    else if (verdict === "respond") deciding.send({ verdict, answer: reason.trim() });
    else deciding.send({ verdict });
  }
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <Field label={label} hint={hint}>
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
        <Button type="submit" tone={tone} disabled={blocked}>
          {sending ? "Sending…" : button} <Kbd>↵</Kbd>
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
