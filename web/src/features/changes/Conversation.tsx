/** What was asked and said: the request, the agent's words as they come, its questions, and what to do next. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Bot, CircleAlert, CornerDownRight, Flag, Hand, Square, UserRound, type LucideIcon } from "lucide-react";
import { memo, Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import { Said } from "@/components/timeline";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { useCancel, useStart } from "@/features/changes/api";
import type { Change, Talk } from "@/features/changes/model";
import { TEXTS } from "@/features/changes/texts";
import { STAGE_WORDS } from "@/features/changes/wording";
import { problemFrom } from "@/lib/api";
import { cn } from "@/lib/cn";
import type { CodeChangeDetail } from "@/lib/code-changes";
import { useDraft } from "@/lib/drafts";
import { withoutDiagrams } from "@/lib/fences";
import { line, plain, value } from "@/lib/format";
import { holdQuery, type Hold } from "@/lib/holds";
import { lazy } from "@/lib/lazy";
import { administers, useMe } from "@/lib/me";
import { isActive } from "@/lib/runs";
import { capital, headline, needsBriefly, outcome } from "@/lib/wording";

const WORDS = TEXTS.conversation;

const CancelDialog = lazy(() => import("@/components/cancel-dialog"));
const QuestionForm = lazy(() => import("@/features/changes/QuestionForm"));

export function Conversation({ about, change }: { about: CodeChangeDetail; change: Change }) {
  const end = useAtEnd();
  return (
    <>
      <div ref={end} tabIndex={0} role="log" aria-label={WORDS.conversation} className="min-h-0 flex-1 overflow-y-auto px-4 py-4">
        <ol className="space-y-4">
          {about.follows ? (
            <li className="text-xs text-ink-3">
              {WORDS.follows}{" "}
              <Link to="/changes/$changeId" params={{ changeId: about.follows }} className="underline underline-offset-2">
                {WORDS.anEarlierChange}
              </Link>
              .
            </li>
          ) : null}
          <Place icon={UserRound} who={about.started_by.name} at={about.created_at}>
            <p className="rounded-lg bg-accent-soft px-3 py-2 break-words whitespace-pre-wrap">{plain(about.message)}</p>
          </Place>
          {change.talk.map((talk) => (
            <Shown key={talk.seq} talk={talk} />
          ))}
          {change.saying.map((saying) => (
            <Place key={`${saying.id}.${saying.attempt}`} icon={Bot} who="Agent" tone="border-accent text-accent">
              <Said pieces={saying.pieces} live />
            </Place>
          ))}
          {about.status === "queued" ? <li className="text-ink-3">{about.hint ? line(about.hint) : WORDS.waitingForWorkerToPick}</li> : null}
        </ol>
      </div>
      <Next about={about} />
    </>
  );
}

/** Keeps the end in view as it grows, unless the reader has gone elsewhere. */
function useAtEnd() {
  const box = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  useEffect(() => {
    const shown = box.current;
    if (!shown) return;
    let last = shown.scrollTop;
    // only who scrolls up has gone: it may have grown since it was last moved to its end
    const look = () => {
      const near = shown.scrollHeight - shown.scrollTop - shown.clientHeight < 80;
      following.current = near || (following.current && shown.scrollTop >= last);
      last = shown.scrollTop;
    };
    // by more words, by a question that was fetched late, or by the window
    const grown = new ResizeObserver(() => {
      if (following.current) shown.scrollTop = shown.scrollHeight;
    });
    grown.observe(shown);
    if (shown.firstElementChild) grown.observe(shown.firstElementChild);
    shown.addEventListener("scroll", look, { passive: true });
    return () => {
      grown.disconnect();
      shown.removeEventListener("scroll", look);
    };
  }, []);
  return box;
}

interface PlaceProps {
  icon: LucideIcon;
  who: string;
  at?: string;
  tone?: string;
  children: ReactNode;
}

function Place({ icon: Icon, who, at, tone, children }: PlaceProps) {
  return (
    <li className="flex gap-3">
      <span aria-hidden className={cn("mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full border border-line bg-panel text-ink-3", tone)}>
        <Icon className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1 space-y-1">
        <p className="flex justify-between gap-3 text-xs text-ink-3">
          <span>{line(who)}</span>
          {at ? <Ago at={at} /> : null}
        </p>
        {children}
      </div>
    </li>
  );
}

// what was said before stays as it is when more is said
const Shown = memo(function Shown({ talk }: { talk: Talk }) {
  switch (talk.is) {
    case "said":
      return <Spoken talk={talk} />;
    case "hold":
      return <Asked id={talk.holdId} at={talk.at} />;
    case "stage":
      return (
        <li className="flex items-center gap-3 text-xs text-ink-3">
          <span aria-hidden className="h-px flex-1 bg-line" />
          {STAGE_WORDS[talk.stage]}
          {talk.attempt > 0 ? WORDS.attempt(talk.attempt + 1) : ""}
          <span aria-hidden className="h-px flex-1 bg-line" />
        </li>
      );
    case "note":
      return (
        <li className={cn("flex gap-2 text-xs", talk.bad ? "text-critical" : "text-ink-2")}>
          {talk.bad ? <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" /> : <CornerDownRight aria-hidden className="mt-0.5 size-3.5 shrink-0 text-ink-3" />}
          <span className="min-w-0 break-words">{line(talk.words)}</span>
        </li>
      );
    case "end":
      return (
        <li className={cn("flex gap-2 font-medium", talk.bad ? "text-critical" : "text-good")}>
          <Flag aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 break-words">{line(talk.words)}</span>
        </li>
      );
  }
});

function Spoken({ talk }: { talk: Extract<Talk, { is: "said" }> }) {
  return (
    <Place icon={Bot} who="Agent" at={talk.at}>
      <Said
        pieces={[
          { kind: "reasoning", text: talk.reasoning },
          { kind: "answer", text: withoutDiagrams(talk.content) },
        ]}
      />
      {talk.calls.length > 0 ? (
        <p className="flex flex-wrap gap-1.5 text-xs text-ink-3">
          {talk.calls.map((call, index) => (
            <code key={call.call_id ?? index} title={value(call.args)} className="rounded bg-sunken px-1.5 py-0.5">
              {line(called(call))}
            </code>
          ))}
        </p>
      ) : null}
    </Place>
  );
}

/** The tool, and the file that it is about. */
function called({ name, args }: { name: string; args: unknown }): string {
  const path = typeof args === "object" && args !== null ? (args as Record<string, unknown>)["path"] : undefined;
  return typeof path === "string" ? `${name} ${path}` : name;
}

function Asked({ id, at }: { id: string; at: string }) {
  const hold = useQuery(holdQuery(id));
  if (!hold.data) return <li className="text-ink-3">{hold.isError ? WORDS.peopleWereAsked : ""}</li>;
  return hold.data.kind === "input" && hold.data.status === "pending" ? (
    <Place icon={Hand} who={WORDS.agentAsks} at={at} tone="text-high">
      <Suspense>
        <QuestionForm hold={hold.data} />
      </Suspense>
    </Place>
  ) : (
    <Place icon={Hand} who={hold.data.kind === "input" ? WORDS.agentAsked : WORDS.askedPeople} at={at} tone="text-high">
      <Question hold={hold.data} />
    </Place>
  );
}

function Question({ hold }: { hold: Hold }) {
  const { decision } = hold;
  const waits = hold.status === "pending";
  return (
    <div className={cn("rounded-lg border px-3 py-2", waits ? "border-high/60 bg-high-soft/40" : "border-line")}>
      <p className="font-medium break-words">
        <Link to="/holds/$holdId" params={{ holdId: hold.id }} className="hover:underline">
          {headline(hold)}
        </Link>
      </p>
      <p className="break-words text-ink-2">
        {decision ? (
          <>
            {capital(outcome(decision))} <Ago at={decision.at} />
          </>
        ) : (
          WORDS.waitingFor(needsBriefly(hold))
        )}
      </p>
      {decision?.reason ? <p className="mt-1 border-l-2 border-line pl-2 break-words whitespace-pre-wrap text-ink-2">{plain(decision.reason)}</p> : null}
      {decision?.answer == null ? null : <p className="mt-1 border-l-2 border-line pl-2 break-words text-ink-2">{answerText(decision.answer)}</p>}
    </div>
  );
}

function answerText(answer: unknown): string {
  if (typeof answer !== "object" || answer === null) return line(String(answer));
  return Object.values(answer).map((one) => line(String(one))).join(" · ");
}

/** Stop what runs; or say what comes after it. */
function Next({ about }: { about: CodeChangeDetail }) {
  const me = useMe();
  const own = me.id === about.started_by.id || administers(me);
  if (isActive(about)) return own ? <Stop id={about.id} /> : null;
  return <FollowUp about={about} />;
}

function Stop({ id }: { id: string }) {
  const [asked, setAsked] = useState(false);
  const cancelling = useCancel(id);
  return (
    <footer className="flex items-center justify-between gap-3 border-t border-line bg-panel px-4 py-3">
      <p className="text-xs text-ink-3">{WORDS.answerItsQuestionsHere}</p>
      <Button tone="danger" size="sm" onClick={() => setAsked(true)}>
        <Square aria-hidden className="size-3.5" /> {WORDS.stop}
      </Button>
      <Suspense>{asked ? <CancelDialog what={WORDS.change} cancelling={cancelling} onClose={() => setAsked(false)} /> : null}</Suspense>
    </footer>
  );
}

function FollowUp({ about }: { about: CodeChangeDetail }) {
  const navigate = useNavigate();
  const starting = useStart();
  const key = useRef("");
  const [text, setText, drop] = useDraft(`follow:${about.id}`, "");
  const ready = text.trim() !== "" && about.workflow === "change";
  if (about.workflow !== "change") return null;
  return (
    <form
      className="space-y-2 border-t border-line bg-panel px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!ready || starting.isPending) return;
        key.current ||= `${Date.now()}-${Math.random()}`;
        starting.mutate(
          { body: { message: text, follows: about.id }, key: key.current },
          {
            onSuccess: (next) => {
              drop();
              void navigate({ to: "/changes/$changeId", params: { changeId: next.id } });
            },
          },
        );
      }}
    >
      <Field label={WORDS.followUp} hint={WORDS.startsNewChangeThatKnows}>
        {(props) => (
          <TextArea
            {...props}
            rows={2}
            value={text}
            placeholder={WORDS.whatShouldBeDifferentNow}
            onChange={(event) => {
              key.current = "";
              setText(event.target.value);
            }}
          />
        )}
      </Field>
      {starting.isError ? <Notice tone="error" title={problemFrom(starting.error).message} /> : null}
      <Button type="submit" tone="accent" size="sm" disabled={!ready || starting.isPending}>
        {starting.isPending ? WORDS.starting : WORDS.startFollowUp}
      </Button>
    </form>
  );
}
