import { useState } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { Deciding } from "@/components/deciding/deciding";
import { TEXTS } from "@/components/deciding/texts";
import { line } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { capital, effectText, headline, outcome } from "@/lib/wording";

const WORDS = TEXTS.confirm;

/** The second step of a critical approval: the target's name, typed. However it is left, it says what it did. */
export default function Confirm({ hold, open, deciding }: { hold: Hold; open: boolean; deciding: Deciding }) {
  const [typed, setTyped] = useState("");
  const [tried, setTried] = useState(false);
  const name = line(hold.action?.target ?? hold.action?.name ?? hold.title);
  const right = typed.trim() === name;
  function leave() {
    deciding.setMode("look");
    toast({ title: WORDS.notApproved(headline(hold)) });
  }
  if (!open) {
    return (
      <Dialog key="overtaken" title={WORDS.noLongerOpen} onClose={() => deciding.setMode("look")} asks={false}>
        <div className="space-y-4">
          <Notice tone="warning" title={hold.decision ? WORDS.whileYouWereTyping(capital(outcome(hold.decision))) : WORDS.thisChangedWhileYouWere}>
            {WORDS.yourDecisionWasNotRecorded}
          </Notice>
          <BackButton>{WORDS.backToHold}</BackButton>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={WORDS.thisIsCritical} onClose={leave} asks={false}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (right) deciding.send({ verdict: "approve" });
        }}
      >
        <p className="break-words">{effectText(hold)}</p>
        {deciding.reason ? <p className="text-ink-2">{WORDS.yourJustification(line(deciding.reason))}</p> : null}
        <Field label={WORDS.typeToApprove(name)} error={tried && !right ? WORDS.thisIsNot(name) : null}>
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
            {deciding.sending ? WORDS.sending : WORDS.approve}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
