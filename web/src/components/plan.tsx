/** The plan: what will be done, in which files, and how it will be tested. */
import { FilePlus2, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Section } from "@/components/section";
import { TEXTS } from "@/components/texts";
import type { Plan, Task } from "@/lib/change-holds";
import { line, plain } from "@/lib/format";

const WORDS = TEXTS.plan;

export function PlanView({ plan, note }: { plan: Plan; note?: string }) {
  return (
    <Section title={`${line(plan.kind)}: ${line(plan.title)}`} {...(note ? { note } : {})}>
      {plan.summary ? <p className="text-ink-2">{plain(plan.summary)}</p> : null}
      <ol aria-label={WORDS.tasks} className="space-y-2">
        {plan.tasks.map((task, index) => (
          <li key={index} className="flex gap-3 rounded-lg border border-line bg-panel px-4 py-3">
            <Number of={index + 1} />
            <Shown task={task} />
          </li>
        ))}
      </ol>
      {plan.criteria.length > 0 ? (
        <Labelled label={WORDS.doneWhen}>
          <ul className="list-disc pl-5 text-ink-2">
            {plan.criteria.map((one) => (
              <li key={one}>{line(one)}</li>
            ))}
          </ul>
        </Labelled>
      ) : null}
      {plan.migration ? <Labelled label={WORDS.migration}>{plain(plan.migration)}</Labelled> : null}
      {plan.rollback ? <Labelled label={WORDS.toUndoIt}>{plain(plan.rollback)}</Labelled> : null}
    </Section>
  );
}

export function Number({ of }: { of: number }) {
  return <span className="mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full bg-sunken text-xs font-medium text-ink-2">{of}</span>;
}

function Shown({ task }: { task: Task }) {
  return (
    <div className="min-w-0 flex-1 space-y-1.5">
      <p className="font-medium break-words">{line(task.task)}</p>
      {task.changes ? <p className="break-words text-ink-2">{plain(task.changes)}</p> : null}
      <p className="flex flex-wrap gap-1.5">
        {task.files.map((path) => (
          <Path key={path} path={path} />
        ))}
        {task.new_files.map((path) => (
          <Path key={path} path={path} isNew />
        ))}
      </p>
      {task.tests.length > 0 ? (
        <p className="text-xs break-words text-ink-3">
          {WORDS.tests} <code>{line(task.tests.join(", "))}</code>
        </p>
      ) : null}
      {task.weakens.length > 0 ? (
        <p className="flex items-start gap-1.5 text-high">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {WORDS.existingTestsWillExpectSomething(line(task.weakens.join(", ")))}
        </p>
      ) : null}
      {task.notes ? <p className="break-words text-ink-2">{plain(task.notes)}</p> : null}
    </div>
  );
}

export function Path({ path, isNew = false }: { path: string; isNew?: boolean }) {
  return (
    <code className="inline-flex max-w-full items-center gap-1 rounded bg-sunken px-1.5 py-0.5 break-all text-ink-2">
      {isNew ? <FilePlus2 aria-hidden className="size-3.5 shrink-0 text-good" /> : null}
      {line(path)}
      {isNew ? <span className="text-xs text-good">{WORDS.new}</span> : null}
    </code>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="space-y-1">
      <h3 className="text-xs font-medium text-ink-3">{label}</h3>
      <div className="break-words whitespace-pre-wrap text-ink-2">{children}</div>
    </div>
  );
}

interface Command {
  tool: string;
  folder: string;
  command: { arguments: string[]; shell: boolean };
}

/** What will be run, in the sandbox, as it is in what people approve. */
export function Commands({ of }: { of: { tests?: Command[]; checks?: Command[]; notes?: string[] } }) {
  const every = [...(of.tests ?? []), ...(of.checks ?? [])];
  return (
    <Section title={WORDS.whatWillBeRun} note={WORDS.inTheSandbox}>
      {every.length === 0 ? <p className="text-high">{WORDS.nothingWasFoundThatCould}</p> : null}
      <ul className="space-y-1.5">
        {every.map((one, index) => (
          <li key={index} className="rounded-lg border border-line bg-sunken px-3 py-2">
            <code className="break-all">{line(one.command.arguments.join(" "))}</code>
            <span className="block text-xs text-ink-3">
              {line(one.tool)}
              {one.folder ? WORDS.in(line(one.folder)) : ""}
              {one.command.shell ? WORDS.lineForShell : ""}
            </span>
          </li>
        ))}
      </ul>
      {(of.notes ?? []).map((note) => (
        <p key={note} className="text-xs text-ink-3">
          {line(note)}
        </p>
      ))}
    </Section>
  );
}
