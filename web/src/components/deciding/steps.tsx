/** The second step of a decision: a reason, or a second motion. */
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import type { Deciding } from "@/components/deciding/deciding";

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
