/** Start a run: choose a workflow, see what it does, and give it what it asks for. */
import { useQuery } from "@tanstack/react-query";
import { linkOptions, useNavigate, useSearch } from "@tanstack/react-router";
import { useRef } from "react";
import { Beside, Fetched } from "@/components/desk";
import { Code } from "@/components/ui/copy";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { runQuery, useStart } from "@/features/runs/api";
import { Diagram } from "@/features/runs/Diagram";
import { InputForm } from "@/features/runs/InputForm";
import { readRunSearch } from "@/features/runs/search";
import { TEXTS } from "@/features/runs/texts";
import { problemFrom } from "@/lib/api";
import { line, plain } from "@/lib/format";
import { workflowsQuery, type Workflow } from "@/lib/workflows";

const WORDS = TEXTS.startPage;

// these begin on the pages of skills, where their input is chosen
const ELSEWHERE = new Set(["skill", "register_skills"]);

export function StartPage() {
  const filters = useSearch({ from: "/shell/runs" });
  const navigate = useNavigate();
  const workflows = useQuery(workflowsQuery);
  const sorted = (workflows.data ?? []).filter((one) => !ELSEWHERE.has(one.name)).sort((a, b) => a.name.localeCompare(b.name));
  const chosen = sorted.find((one) => one.name === filters.workflow) ?? sorted.find((one) => !one.error) ?? sorted[0];
  return (
    <Beside back={linkOptions({ to: "/runs", search: filters })} name="Runs">
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-3xl space-y-6 px-4 py-6 sm:px-8">
          <h1 className="text-xl font-semibold">{WORDS.startARun}</h1>
          <Fetched query={workflows} what={WORDS.workflows}>
            {() =>
              !chosen ? (
                <NoWorkflow />
              ) : (
                <>
                  <Field label={WORDS.workflow} hint={chosen.description ? line(chosen.description) : undefined}>
                    {(props) => (
                      <Select
                        {...props}
                        value={chosen.name}
                        onChange={(event) => void navigate({ to: "/runs/start", search: (now: Record<string, unknown>) => readRunSearch({ ...now, workflow: event.target.value }), replace: true })}
                      >
                        {sorted.map((one) => (
                          <option key={one.name} value={one.name}>
                            {line(one.name)}
                            {one.error ? WORDS.cannotRun : ""}
                          </option>
                        ))}
                      </Select>
                    )}
                  </Field>
                  {filters.from ? <StartingAgain key={filters.from} workflow={chosen} from={filters.from} /> : <Starting key={chosen.name} workflow={chosen} />}
                </>
              )
            }
          </Fetched>
        </div>
      </div>
    </Beside>
  );
}

function NoWorkflow() {
  return (
    <Notice title={WORDS.noWorkerHasRegisteredWorkflow}>
      <p className="mb-3">{WORDS.listYoursInHandrail} <code>{WORDS.handrailWorker}</code>{WORDS.inItsFolder}</p>
      <Code text={'[workflows]\ngreet = "greet:graph"'} />
    </Notice>
  );
}

/** With the input of an earlier run, where it is one of the same workflow. */
function StartingAgain({ workflow, from }: { workflow: Workflow; from: string }) {
  const run = useQuery(runQuery(from));
  return (
    <Fetched query={run} what={WORDS.theRun}>
      {(known) =>
        known.workflow === workflow.name ? (
          <>
            <p className="text-ink-2">{TEXTS.from(known.short_id)}</p>
            <Starting workflow={{ ...workflow, example: known.input }} draft={known.id} />
          </>
        ) : (
          <Starting workflow={workflow} />
        )
      }
    </Fetched>
  );
}

function Starting({ workflow, draft = "" }: { workflow: Workflow; draft?: string }) {
  const navigate = useNavigate();
  const starting = useStart();
  // the same input pressed twice is one run
  const last = useRef({ body: "", key: "" });

  function start(input: unknown, done: () => void) {
    const body = { workflow: workflow.name, input: (input ?? {}) as never };
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: `${Date.now()}-${Math.random()}` };
    starting.mutate(
      { body, key: last.current.key },
      {
        onSuccess: (run) => {
          done();
          void navigate({ to: "/runs/$runId", params: { runId: run.id } });
        },
      },
    );
  }

  if (workflow.error) {
    return (
      <Notice tone="error" title={WORDS.thisWorkflowCannotRun}>
        <pre tabIndex={0} aria-label={WORDS.why} className="mt-2 max-h-80 overflow-auto text-xs leading-5">
          {plain(workflow.error)}
        </pre>
      </Notice>
    );
  }
  return (
    <>
      {workflow.served ? null : (
        <Notice title={WORDS.noWorkerServesThisWorkflow}>{WORDS.runThatYouStartWaits}</Notice>
      )}
      <InputForm workflow={workflow} draft={draft} onStart={start} sending={starting.isPending} />
      {starting.isError ? <Notice tone="error" title={problemFrom(starting.error).message} /> : null}
      {workflow.diagram ? (
        <section aria-label={WORDS.whatItDoes} className="space-y-3">
          <h2 className="font-semibold">{WORDS.whatItDoes}</h2>
          <Diagram mermaid={workflow.diagram} />
          <p className="text-xs text-ink-3">
            {WORDS.dashedPathsAreConditional}
            {workflow.seen_at ? (
              <>
                {" "}
                {WORDS.workerLastServedIt} <Ago at={workflow.seen_at} />.
              </>
            ) : null}
          </p>
        </section>
      ) : null}
    </>
  );
}

