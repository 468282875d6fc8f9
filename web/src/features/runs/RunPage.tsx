/** One run: how it stands, what it has used, and its story as it happens. */
import { useQuery } from "@tanstack/react-query";
import { Link, linkOptions, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { Beside, Fetched } from "@/components/desk";
import { Tree } from "@/components/json";
import { RiskWord } from "@/components/risk";
import { Section } from "@/components/section";
import { buttonLook } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { runQuery } from "@/features/runs/api";
import { WaitsFor } from "@/components/holding";
import { RunMark } from "@/components/run-mark";
import { Storied } from "@/components/storied";
import { WhyFailed } from "@/components/why-failed";
import { TEXTS } from "@/features/runs/texts";
import { worked } from "@/lib/run-wording";
import { line, span } from "@/lib/format";
import { lazy } from "@/lib/lazy";
import { isActive, type RunDetail } from "@/lib/runs";

const WORDS = TEXTS.runPage;

// not needed to look at it
const Controls = lazy(() => import("@/features/runs/Controls"));
// the picture comes after the words
const Pictured = lazy(() => import("@/features/runs/Pictured"));

export function RunPage() {
  const { runId } = useParams({ from: "/shell/runs/$runId" });
  const filters = useSearch({ from: "/shell/runs" });
  const run = useQuery(runQuery(runId));
  return (
    <Beside back={linkOptions({ to: "/runs", search: filters })} name="Runs">
      <Fetched query={run} what={WORDS.theRun}>
        {/* a story belongs to one run */}
        {(known) => <Shown key={runId} run={known} />}
      </Fetched>
    </Beside>
  );
}

function Shown({ run }: { run: RunDetail }) {
  const [moment, setMoment] = useState<number | null>(null);
  return (
    <Storied id={run.id} label={WORDS.runOf(line(run.workflow))} queued={run.status === "queued"} moment={moment} footer={<Identity run={run} />}>
      {(story) => (
        <>
          <Head run={run} />
          {run.hint ? <Notice title={line(run.hint)} /> : null}
          {run.status === "paused" ? (
            <ul aria-label={WORDS.waitingFor} className="space-y-2">
              {run.holds.map((hold) => (
                <WaitsFor key={hold.id} id={hold.id} />
              ))}
            </ul>
          ) : null}
          <Outcome run={run} />
          <Facts run={run} />
          {run.input === null || isEmpty(run.input) ? null : (
            <details>
              <summary className="cursor-pointer font-semibold marker:text-ink-3">{WORDS.input}</summary>
              <div className="mt-2">
                <Tree of={run.input} />
              </div>
            </details>
          )}
          <Suspense>
            <Pictured run={run} parts={story.parts} moment={moment} onMoment={setMoment} />
          </Suspense>
        </>
      )}
    </Storied>
  );
}

function isEmpty(input: unknown): boolean {
  return typeof input === "object" && input !== null && Object.keys(input).length === 0;
}

function Head({ run }: { run: RunDetail }) {
  return (
    <header className="space-y-2">
      <div className="flex items-start justify-between gap-4">
        <h1 className="min-w-0 text-xl leading-snug font-semibold break-words">{line(run.workflow)}</h1>
        <Suspense>
          <span className="flex gap-2">
            <Again run={run} />
            <Controls run={run} />
          </span>
        </Suspense>
      </div>
      <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-3">
        <RunMark status={run.status} badge />
        <code>{run.short_id}</code>
        {run.risk ? <RiskWord level={run.risk} className="text-xs" /> : null}
        <span>
          {WORDS.startedBy} <span className="text-ink-2">{line(run.started_by.name)}</span> <Ago at={run.created_at} />
          {run.ended_at ? (
            <>
              {WORDS.ended} <Ago at={run.ended_at} />
            </>
          ) : null}
        </span>
        {run.mode ? <span>{WORDS.mode(line(run.mode))}</span> : null}
      </p>
    </header>
  );
}

// these begin on other pages, where their input is chosen
const ELSEWHERE = new Set(["skill", "register_skills", "change", "demo-change", "task"]);

/** From this run's input, which can be changed before. */
function Again({ run }: { run: RunDetail }) {
  if (isActive(run) || ELSEWHERE.has(run.workflow)) return null;
  return (
    <Link to="/runs/start" search={{ workflow: run.workflow, from: run.id }} className={buttonLook({ size: "sm" })}>
      {WORDS.startAgain}
    </Link>
  );
}

/** What it has used, of what it may. */
function Facts({ run }: { run: RunDetail }) {
  const { usage, budget } = run;
  const tokens = usage.tokens_in + usage.tokens_out;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-4">
      <Fact name={WORDS.steps} used={usage.steps.toLocaleString("en")} of={budget.steps.toLocaleString("en")} part={usage.steps / budget.steps} />
      <Fact name={WORDS.workingTime} used={worked(run)} of={span(budget.seconds * 1000)} part={usage.seconds / budget.seconds} />
      <Fact name={WORDS.tokens} used={tokens.toLocaleString("en")} note={WORDS.in(usage.tokens_in.toLocaleString("en"), usage.tokens_out.toLocaleString("en"))} />
      <Fact
        name={WORDS.cost}
        used={usage.cost === 0 ? "0" : usage.cost.toFixed(4)}
        {...(budget.cost === null ? { note: WORDS.noLimit } : { of: String(budget.cost), part: usage.cost / budget.cost })}
      />
    </dl>
  );
}

function Fact({ name, used, of, part, note }: { name: string; used: string; of?: string; part?: number; note?: string }) {
  const near = (part ?? 0) >= 0.8;
  return (
    <div className="bg-panel px-4 py-2.5">
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd>
        <span className="font-medium tabular-nums">{used}</span>
        <span className={`block text-xs ${near ? "font-medium text-high" : "text-ink-3"}`}>{of ? WORDS.of(of) : note}</span>
      </dd>
    </div>
  );
}

function Outcome({ run }: { run: RunDetail }) {
  if (isActive(run)) return null;
  if (run.status === "failed") return <WhyFailed error={run.error}>{WORDS.completedStepsAreKept}</WhyFailed>;
  if (run.status !== "completed" || run.result === null) return null;
  return (
    <Section title={WORDS.result}>
      <div className="rounded-lg border border-line px-4 py-2">
        <Tree of={run.result} />
      </div>
    </Section>
  );
}

function Identity({ run }: { run: RunDetail }) {
  return (
    <footer className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line pt-4 text-xs text-ink-3">
      <span className="inline-flex items-center gap-1">
        {WORDS.run} <code title={run.id}>{run.short_id}</code>
        <CopyButton text={run.short_id} label={WORDS.copyRunId} />
      </span>
      {run.version ? (
        <span>
          {WORDS.workflowVersion} <code title={run.version}>{run.version.slice(0, 8)}</code>
        </span>
      ) : null}
      <span>{WORDS.asksAs(line(run.agent.name))}</span>
    </footer>
  );
}
