/** Change the plan before approving it: reword, drop or reorder tasks, take files out or add some. */
import { ArrowDown, ArrowUp, Plus, Trash2, X } from "lucide-react";
import { useState } from "react";
import { Changes } from "@/components/changes";
import type { Deciding } from "@/components/deciding/deciding";
import { Section } from "@/components/section";
import { TEXTS } from "@/components/texts";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import type { Plan, Task } from "@/lib/change-holds";
import { changes } from "@/lib/changes";
import { useDraft } from "@/lib/drafts";
import { line } from "@/lib/format";
import type { Action, Hold } from "@/lib/holds";

const WORDS = TEXTS.planForm;

interface Props {
  hold: Hold;
  action: Action;
  deciding: Deciding;
}

export default function PlanForm({ hold, action, deciding }: Props) {
  const before = action.args["plan"] as Plan;
  const [plan, setPlan, drop] = useDraft<Plan>(`plan:${hold.digest}`, before);
  const differs = changes(before, plan);
  const broken = plan.title.trim() === "" || plan.tasks.length === 0 || plan.tasks.some((task) => task.task.trim() === "" || task.files.length + task.new_files.length === 0);
  const setTask = (at: number, task: Task) => setPlan({ ...plan, tasks: plan.tasks.with(at, task) });
  function move(at: number, by: 1 | -1) {
    const task = plan.tasks[at];
    if (task) setPlan({ ...plan, tasks: plan.tasks.toSpliced(at, 1).toSpliced(at + by, 0, task) });
  }
  return (
    <Section title={WORDS.amendThePlan} note={WORDS.createsNewRevision}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          deciding.send({ verdict: "amend", amended_action: { ...action, args: { ...action.args, plan } } }, drop);
        }}
      >
        <Field label={WORDS.title}>{(props) => <Input {...props} maxLength={72} autoFocus value={plan.title} onChange={(event) => setPlan({ ...plan, title: event.target.value })} />}</Field>
        <ol aria-label={WORDS.tasks} className="space-y-3">
          {plan.tasks.map((task, index) => (
            // the place is what tells them apart: their words change as they are typed
            <li key={index}>
              <fieldset className="space-y-3 rounded-lg border border-line p-3">
                <legend className="px-1 text-xs font-medium text-ink-3">{WORDS.task(index + 1)}</legend>
                <div className="flex flex-wrap gap-1.5">
                  <Button size="sm" disabled={index === 0} aria-label={WORDS.moveTaskUp(index + 1)} onClick={() => move(index, -1)}>
                    <ArrowUp aria-hidden className="size-4" />
                  </Button>
                  <Button size="sm" disabled={index === plan.tasks.length - 1} aria-label={WORDS.moveTaskDown(index + 1)} onClick={() => move(index, 1)}>
                    <ArrowDown aria-hidden className="size-4" />
                  </Button>
                  <Button size="sm" tone="danger" disabled={plan.tasks.length === 1} onClick={() => setPlan({ ...plan, tasks: plan.tasks.toSpliced(index, 1) })}>
                    <Trash2 aria-hidden className="size-4" /> {WORDS.dropTask(index + 1)}
                  </Button>
                </div>
                <Field label={WORDS.whatIsDone}>{(props) => <Input {...props} maxLength={300} value={task.task} onChange={(event) => setTask(index, { ...task, task: event.target.value })} />}</Field>
                <Field label={WORDS.whatChanges}>{(props) => <TextArea {...props} rows={2} value={task.changes} onChange={(event) => setTask(index, { ...task, changes: event.target.value })} />}</Field>
                <Paths label={WORDS.files} of={task.files} onChange={(files) => setTask(index, { ...task, files, weakens: task.weakens.filter((path) => files.includes(path)) })} />
                <Paths label={WORDS.newFiles} of={task.new_files} onChange={(new_files) => setTask(index, { ...task, new_files })} />
              </fieldset>
            </li>
          ))}
        </ol>
        <div className="space-y-1.5">
          <h3 className="font-medium">{WORDS.changed}</h3>
          {differs.length === 0 ? <p className="text-ink-3">{WORDS.nothingYet}</p> : <Changes of={differs} />}
        </div>
        <div className="flex gap-2">
          <Button type="submit" tone="accent" disabled={differs.length === 0 || broken || deciding.sending} waits={!deciding.settled}>
            {deciding.sending ? WORDS.sending : WORDS.saveAsNewRevision}
          </Button>
          <Button
            tone="ghost"
            onClick={() => {
              drop();
              deciding.setMode("look");
            }}
          >
            {WORDS.discard}
          </Button>
        </div>
      </form>
    </Section>
  );
}

function Paths({ label, of, onChange }: { label: string; of: string[]; onChange: (paths: string[]) => void }) {
  const [typed, setTyped] = useState("");
  function add() {
    const path = typed.trim();
    if (path !== "" && !of.includes(path)) onChange([...of, path]);
    setTyped("");
  }
  return (
    <div className="space-y-1.5">
      <Field label={label}>
        {(props) => (
          <span className="flex gap-2">
            <Input
              {...props}
              className="font-mono text-xs"
              placeholder={WORDS.addAPath}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.preventDefault();
                add();
              }}
            />
            <Button size="md" aria-label={WORDS.addTo(label.toLowerCase())} disabled={typed.trim() === ""} onClick={add}>
              <Plus aria-hidden className="size-4" />
            </Button>
          </span>
        )}
      </Field>
      <p className="flex flex-wrap gap-1.5">
        {of.map((path) => (
          <code key={path} className="inline-flex items-center gap-1 rounded bg-sunken py-0.5 pl-1.5 break-all text-ink-2">
            {line(path)}
            <button type="button" aria-label={WORDS.remove(line(path))} className="cursor-pointer rounded p-1 hover:text-ink" onClick={() => onChange(of.filter((one) => one !== path))}>
              <X aria-hidden className="size-3.5" />
            </button>
          </code>
        ))}
      </p>
    </div>
  );
}
