/** The decision, at the foot of the pack: buttons while it can be made, who made it once it is. */
import { Ban, Check, MessageSquare, Pencil, Undo2, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import type { Deciding } from "@/features/hold/deciding";
import type { Problem } from "@/lib/api";
import { line } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { useMe } from "@/lib/me";
import { effectText, outcome } from "@/lib/wording";

interface Props {
  hold: Hold;
  deciding: Deciding;
  open: boolean;
  onComment: () => void;
}

export function DecisionBar({ hold, deciding, open, onComment }: Props) {
  const { mode, refusal } = deciding;
  return (
    <section aria-label="Decision" className="border-t border-line bg-panel px-4 py-3 sm:px-8">
      <div className="mx-auto max-w-3xl space-y-3">
        {refusal ? <Refusal problem={refusal} /> : null}
        {hold.may_decide.reject_only && !refusal ? <Notice tone="warning" title={hold.may_decide.reason ?? ""} /> : null}
        {hold.decision ? (
          <Decided hold={hold} deciding={deciding} />
        ) : !hold.may_decide.allowed ? (
          <NotYours hold={hold} deciding={deciding} onComment={onComment} />
        ) : mode === "reject" || mode === "approve" ? (
          <WithReason deciding={deciding} verdict={mode} needed={mode === "approve"} />
        ) : (
          <Buttons hold={hold} deciding={deciding} open={open} onComment={onComment} />
        )}
        {mode === "confirm" && open ? <Confirm hold={hold} deciding={deciding} /> : null}
      </div>
    </section>
  );
}

function Buttons({ hold, deciding, open, onComment }: Props) {
  const { sending, mode } = deciding;
  const own = hold.kind === "input" || hold.items.length > 0 || mode === "amend";
  const yes = open && !hold.may_decide.reject_only;
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:gap-1.5 max-sm:[&_button]:px-2.5">
      {own ? null : deciding.mine ? (
        <p className="mr-auto flex items-center gap-2 text-good">
          <Check aria-hidden className="size-4 max-sm:hidden" /> You approved; others are still needed.
        </p>
      ) : (
        <Button tone="accent" disabled={!yes || sending} onClick={deciding.approve}>
          <Check aria-hidden className="size-4 max-sm:hidden" />
          {sending ? "Sending…" : "Approve"} <Kbd>a</Kbd>
        </Button>
      )}
      {own ? null : (
        <>
          <Button tone="danger" disabled={!open || sending} onClick={() => deciding.setMode("reject")}>
            <X aria-hidden className="size-4 max-sm:hidden" />
            Reject <Kbd>r</Kbd>
          </Button>
          <Button disabled={!yes || sending} onClick={() => deciding.setMode("amend")}>
            <Pencil aria-hidden className="size-4 max-sm:hidden" />
            Amend <Kbd>e</Kbd>
          </Button>
        </>
      )}
      <Button onClick={onComment}>
        <MessageSquare aria-hidden className="size-4 max-sm:hidden" />
        Ask back <Kbd>c</Kbd>
      </Button>
      {deciding.canWithdraw ? <WithdrawButton deciding={deciding} /> : null}
    </div>
  );
}

function WithReason({ deciding, verdict, needed }: { deciding: Deciding; verdict: "approve" | "reject"; needed: boolean }) {
  const { reason, setReason, sending } = deciding;
  const blocked = sending || (needed && reason.trim() === "");
  function go() {
    if (blocked) return;
    if (verdict === "approve") deciding.approve();
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
        hint={verdict === "reject" ? "The agent gets it, and it is on record. A rejection cannot be taken back." : "The policy asks for one. It is on record."}
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
                go();
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

/** The second step of a critical approval: the target's name, typed. */
function Confirm({ hold, deciding }: { hold: Hold; deciding: Deciding }) {
  const [typed, setTyped] = useState("");
  const name = line(hold.action.target ?? hold.action.name);
  const right = typed.trim() === name;
  return (
    <Dialog title="This is critical" onClose={() => deciding.setMode("look")}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (right) deciding.send({ verdict: "approve" });
        }}
      >
        <p className="break-words">{effectText(hold)}</p>
        {deciding.reason ? <p className="text-ink-2">Your justification: “{line(deciding.reason)}”</p> : null}
        <Field label={`Type ${name} to approve`}>
          {(props) => <Input {...props} value={typed} autoFocus autoComplete="off" spellCheck={false} onChange={(event) => setTyped(event.target.value)} />}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => deciding.setMode("look")}>Back</Button>
          <Button type="submit" tone="critical" disabled={!right || deciding.sending}>
            {deciding.sending ? "Sending…" : "Approve"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Decided({ hold, deciding }: { hold: Hold; deciding: Deciding }) {
  const { decision } = hold;
  if (!decision) return null;
  const bad = decision.outcome !== "approved" && decision.outcome !== "answered";
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div role="status" className="mr-auto min-w-0">
        <p className={`font-medium ${bad ? "text-critical" : "text-good"}`}>
          {capital(outcome(decision))} <Ago at={decision.at} />
        </p>
        {decision.reason ? <p className="break-words text-ink-2">“{line(decision.reason)}”</p> : null}
        <p className="text-ink-3">{use(hold)}</p>
      </div>
      {deciding.canWithdraw ? <WithdrawButton deciding={deciding} /> : null}
    </div>
  );
}

function use(hold: Hold): ReactNode {
  if (hold.result) return `The action ran: ${hold.result.outcome}.`;
  if (hold.redeemed) {
    return (
      <>
        Used by {line(hold.redeemed.by.name)} <Ago at={hold.redeemed.at} />; it cannot be taken back.
      </>
    );
  }
  return hold.status === "approved" ? "Not used yet." : null;
}

function WithdrawButton({ deciding }: { deciding: Deciding }) {
  return (
    <Button disabled={deciding.sending} onClick={deciding.withdraw}>
      <Undo2 aria-hidden className="size-4" />
      Withdraw my approval <Kbd>u</Kbd>
    </Button>
  );
}

function NotYours({ hold, deciding, onComment }: { hold: Hold; deciding: Deciding; onComment: () => void }) {
  const me = useMe();
  const asked = hold.opened_by.id === me.id;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="mr-auto flex min-w-0 items-center gap-2 text-ink-2">
        <Ban aria-hidden className="size-4 shrink-0" />
        <span>You look on: {hold.may_decide.reason}</span>
      </p>
      {asked ? (
        <>
          <Button onClick={onComment}>Answer or comment</Button>
          <Button tone="danger" disabled={deciding.sending} onClick={deciding.cancel}>
            I no longer ask
          </Button>
        </>
      ) : null}
    </div>
  );
}

interface DecidedData {
  outcome?: string;
  basis?: string;
  decided_at?: string;
  decided_by?: { name: string } | null;
}

/** Why the server did not take it, and what is safe. */
function Refusal({ problem }: { problem: Problem }) {
  const data = problem.data as DecidedData;
  if (problem.code === "already_decided" && data.outcome && data.decided_at) {
    const made = { outcome: data.outcome, basis: data.basis ?? "", by: data.decided_by ?? null };
    return (
      <Notice
        tone="warning"
        title={
          <>
            Already {outcome(made)} <Ago at={data.decided_at} />
          </>
        }
      >
        Yours came after it and was not recorded.
      </Notice>
    );
  }
  if (problem.code === "stale_digest") {
    return (
      <Notice tone="warning" title="It was changed before your decision arrived.">
        Nothing was recorded. Look at what it says now, then decide.
      </Notice>
    );
  }
  return (
    <Notice tone="error" title={problem.message}>
      {problem.unreachable ? "Look at the hold again before you repeat it: the page shows its state as soon as the server is back." : "Nothing was recorded."}
    </Notice>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
