/** One session: what was asked of which skill, its story as it happens, its answer and what it left. */
import { useQuery } from "@tanstack/react-query";
import { Link, linkOptions, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { Beside, Fetched } from "@/components/desk";
import { RunMark } from "@/components/run-mark";
import { Section } from "@/components/section";
import { Storied } from "@/components/storied";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy";
import { Ago } from "@/components/ui/time";
import { WaitsFor } from "@/components/holding";
import { WhyFailed } from "@/components/why-failed";
import { filesQuery, sessionQuery, useCancel } from "@/features/sessions/api";
import { TEXTS } from "@/features/sessions/texts";
import { useNow } from "@/lib/clock";
import { exact, line, plain, span } from "@/lib/format";
import { lazy } from "@/lib/lazy";
import { administers, useMe } from "@/lib/me";
import { isActive } from "@/lib/runs";
import { worked } from "@/lib/run-wording";
import { RUN_STATUS, type SessionDetail } from "@/lib/sessions";

const WORDS = TEXTS.sessionPage;

// few are cancelled
const CancelDialog = lazy(() => import("@/components/cancel-dialog"));

export function SessionPage() {
  const { sessionId } = useParams({ from: "/shell/sessions/$sessionId" });
  const filters = useSearch({ from: "/shell/sessions" });
  const session = useQuery(sessionQuery(sessionId));
  return (
    <Beside back={linkOptions({ to: "/sessions", search: filters })} name="Sessions">
      <Fetched query={session} what={WORDS.theSession}>
        {/* a story belongs to one session */}
        {(known) => <Shown key={sessionId} session={known} />}
      </Fetched>
    </Beside>
  );
}

function Shown({ session }: { session: SessionDetail }) {
  return (
    <Storied
      id={session.session_id}
      label={WORDS.sessionOf(line(session.skill_id))}
      queued={session.status === "CREATED"}
      brief
      footer={<Identity session={session} />}
    >
      <Head session={session} />
      <blockquote className="border-l-2 border-line-strong/50 pl-3 break-words whitespace-pre-wrap text-ink-2">{plain(session.input)}</blockquote>
      {session.status === "PAUSED" ? (
        <ul aria-label={WORDS.waitingFor} className="space-y-2">
          {session.holds.map((hold) =>
            hold.id === session.pending_input?.request_id ? (
              <Question key={hold.id} id={hold.id} prompt={session.pending_input.prompt} />
            ) : (
              <WaitsFor key={hold.id} id={hold.id} />
            ),
          )}
        </ul>
      ) : null}
      {session.status === "FAILED" ? (
        <WhyFailed error={session.error}>{WORDS.sessionCannotBeRunAgain}</WhyFailed>
      ) : null}
      {session.answer === null ? null : (
        <Section title={WORDS.answer}>
          <p className="rounded-lg border border-line px-4 py-3 break-words whitespace-pre-wrap">{plain(session.answer)}</p>
        </Section>
      )}
      <Files session={session} />
    </Storied>
  );
}

/** What it asks, and the way to where it is answered: further down, in the story. */
function Question({ id, prompt }: { id: string; prompt: string }) {
  return (
    <li className="flex items-center gap-3 rounded-lg bg-high-soft px-4 py-2.5 text-high">
      <span className="min-w-0 flex-1 font-medium break-words">{line(prompt)}</span>
      <Button size="sm" onClick={() => document.getElementById(`hold-${id}`)?.scrollIntoView({ block: "center" })}>
        {WORDS.answer}
      </Button>
    </li>
  );
}

/** What it works on, and what it leaves. */
function Files({ session }: { session: SessionDetail }) {
  const files = useQuery(filesQuery(session.session_id)).data ?? [];
  if (files.length === 0) return null;
  return (
    <Section title={WORDS.files}>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {files.map((file) => (
          <li key={file.path} className="flex items-baseline gap-3 px-4 py-2">
            <a
              href={`/api/execution/sessions/${session.session_id}/file?path=${encodeURIComponent(file.path)}`}
              download
              className="min-w-0 font-medium break-all text-accent hover:underline"
            >
              {line(file.path)}
            </a>
            <span className="ml-auto shrink-0 text-xs text-ink-3">{WORDS.bytes(file.size.toLocaleString("en"))}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Head({ session }: { session: SessionDetail }) {
  return (
    <header className="space-y-2">
      <div className="flex items-start justify-between gap-4">
        <h1 className="min-w-0 text-xl leading-snug font-semibold break-words">
          <Link to="/skills/$name" params={{ name: session.skill_id }} search={{}} className="hover:underline">
            {line(session.skill_id)}
          </Link>
        </h1>
        <Cancel session={session} />
      </div>
      <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-3">
        <RunMark status={RUN_STATUS[session.status]} badge />
        <code>{session.short_id}</code>
        <span>
          {WORDS.startedBy} <span className="text-ink-2">{line(session.started_by.name)}</span> <Ago at={session.created_at} />
        </span>
        <span>{session.mode === "HITL" ? WORDS.asksWhenItNeedsTo : WORDS.onItsOwn}</span>
        {session.expires_at ? <Left until={session.expires_at} /> : null}
      </p>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-3">
        <span>{WORDS.atMostSteps(session.config.max_steps)}</span>
        <span>{WORDS.ofWork(worked(session))}</span>
        <span>{WORDS.tokens((session.usage.tokens_in + session.usage.tokens_out).toLocaleString("en"))}</span>
        {session.config.model_id ? <span>{WORDS.model(line(session.config.model_id))}</span> : null}
      </p>
    </header>
  );
}

function Left({ until }: { until: string }) {
  const left = Date.parse(until) - useNow(10_000);
  return <span title={exact(until)}>{left > 0 ? WORDS.endsInIfNothingHappens(span(left)) : WORDS.ending}</span>;
}

function Cancel({ session }: { session: SessionDetail }) {
  const me = useMe();
  const cancelling = useCancel(session.session_id);
  const [asked, setAsked] = useState(false);
  const may = me.id === session.started_by.id || administers(me);
  if (!may || !isActive({ status: RUN_STATUS[session.status] })) return null;
  return (
    <>
      <Button tone="danger" size="sm" onClick={() => setAsked(true)}>
        {WORDS.cancel}
      </Button>
      <Suspense>{asked ? <CancelDialog what={WORDS.session} cancelling={cancelling} onClose={() => setAsked(false)} /> : null}</Suspense>
    </>
  );
}

function Identity({ session }: { session: SessionDetail }) {
  return (
    <footer className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line pt-4 text-xs text-ink-3">
      <span className="inline-flex items-center gap-1">
        {WORDS.sessionTitle} <code title={session.session_id}>{session.short_id}</code>
        <CopyButton text={session.short_id} label={WORDS.copySessionId} />
      </span>
      {session.skill_version ? <span>{WORDS.skillVersion(session.skill_version)}</span> : null}
      <Link to="/runs/$runId" params={{ runId: session.session_id }} search={{}} className="underline underline-offset-2 hover:text-ink">
        {WORDS.viewAsRun}
      </Link>
    </footer>
  );
}
