/** Stop a run, with a second step; or let a failed one go on. */
import { Suspense, useState } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useCancel, useRetry, type Budget } from "@/features/runs/api";
import { TEXTS } from "@/features/runs/texts";
import { failure } from "@/lib/run-wording";
import { problemFrom } from "@/lib/api";
import { lazy } from "@/lib/lazy";
import { administers, useMe } from "@/lib/me";
import { isActive, type RunDetail } from "@/lib/runs";

const WORDS = TEXTS.controls;

// few are cancelled
const CancelDialog = lazy(() => import("@/components/cancel-dialog"));

export default function Controls({ run }: { run: RunDetail }) {
  const me = useMe();
  const [asked, setAsked] = useState<"cancel" | "retry" | null>(null);
  const cancelling = useCancel(run.id);
  if (me.id !== run.started_by.id && !administers(me)) return null;
  const close = () => setAsked(null);
  return (
    <>
      {isActive(run) ? (
        <Button tone="danger" size="sm" onClick={() => setAsked("cancel")}>
          {WORDS.cancel}
        </Button>
      ) : run.status === "failed" ? (
        <Button size="sm" onClick={() => setAsked("retry")}>
          {WORDS.retry}
        </Button>
      ) : null}
      <Suspense>{asked === "cancel" ? <CancelDialog what={WORDS.run} cancelling={cancelling} onClose={close} /> : null}</Suspense>
      {asked === "retry" ? <RetryDialog run={run} onClose={close} /> : null}
    </>
  );
}

function RetryDialog({ run, onClose }: { run: RunDetail; onClose: () => void }) {
  const retrying = useRetry(run.id);
  const spent = failure(run.error)?.code === "budget_exceeded";
  const [steps, setSteps] = useState(String(run.budget.steps));
  const [seconds, setSeconds] = useState(String(run.budget.seconds));
  const [cost, setCost] = useState(run.budget.cost === null ? "" : String(run.budget.cost));
  const budget: Budget | null = spent ? { steps: Number(steps), seconds: Number(seconds), ...(cost ? { cost: Number(cost) } : {}) } : null;
  return (
    <Dialog title={WORDS.retryThisRun} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          retrying.mutate(budget, {
            onSuccess: () => {
              onClose();
              toast({ title: WORDS.runWasQueuedAgain, tone: "good" });
            },
          });
        }}
      >
        <p className="text-ink-2">{WORDS.itResumesFromItsLast}</p>
        {spent ? (
          <div className="grid gap-3 sm:grid-cols-3">
            <Field label={WORDS.steps} hint={WORDS.used(run.usage.steps)}>
              {(props) => <Input {...props} inputMode="numeric" value={steps} onChange={(event) => setSteps(event.target.value)} />}
            </Field>
            <Field label={WORDS.workingTimeInSeconds} hint={WORDS.secondsUsed(Math.round(run.usage.seconds))}>
              {(props) => <Input {...props} inputMode="decimal" value={seconds} onChange={(event) => setSeconds(event.target.value)} />}
            </Field>
            <Field label={WORDS.cost} hint={WORDS.costUsed(run.usage.cost)}>
              {(props) => <Input {...props} inputMode="decimal" value={cost} onChange={(event) => setCost(event.target.value)} />}
            </Field>
          </div>
        ) : null}
        {retrying.isError ? <Notice tone="error" title={problemFrom(retrying.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="accent" disabled={retrying.isPending}>
            {retrying.isPending ? WORDS.sending : WORDS.retryIt}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
