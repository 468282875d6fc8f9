/** The second step of a decision: a reason, or a second motion. */
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import type { Deciding } from "@/components/deciding/deciding";
import { TEXTS } from "@/components/deciding/texts";

const WORDS = TEXTS.steps;

const STEPS = {
  approve: { label: WORDS.justification, hint: WORDS.requiredByPolicy, button: WORDS.buttons.approve, tone: "accent" },
  reject: { label: WORDS.reason, hint: WORDS.sentToAgentAndRecorded, button: WORDS.buttons.reject, tone: "critical" },
  respond: {
    label: WORDS.response,
    hint: WORDS.agentReadsThisInPlace,
    button: WORDS.buttons.respond,
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
          {sending ? WORDS.sending : button} <Kbd>↵</Kbd>
        </Button>
        <Button tone="ghost" onClick={() => deciding.setMode("look")}>
          {WORDS.back}
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
      aria-label={WORDS.highRisk}
      className="space-y-2.5"
      // here Escape is the way back from this step, not from the hold
      data-escape
      onKeyDown={(event) => event.key === "Escape" && back()}
    >
      <p className="text-high">
        <strong className="font-medium">{WORDS.highRiskMark}</strong> {WORDS.approve}
      </p>
      <div className="flex gap-2">
        <Button className="min-w-34" disabled={deciding.sending} onClick={back}>
          {WORDS.back} <Kbd>{WORDS.esc}</Kbd>
        </Button>
        <Button tone="accent" autoFocus disabled={deciding.sending} onClick={() => deciding.approve(true)}>
          {deciding.sending ? WORDS.sending : WORDS.yes} <Kbd>↵</Kbd>
        </Button>
      </div>
    </div>
  );
}
