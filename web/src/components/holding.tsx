/** A hold where it stopped the run: what is asked, and how it stands now. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, Hand } from "lucide-react";
import { Suspense } from "react";
import { HoldMark } from "@/components/risk";
import { TEXTS } from "@/components/texts";
import { Ago } from "@/components/ui/time";
import { useNow } from "@/lib/clock";
import { cn } from "@/lib/cn";
import { deadline, plain } from "@/lib/format";
import { holdQuery, type Hold } from "@/lib/holds";
import { lazy } from "@/lib/lazy";
import { headline, needsBriefly, outcome, progress } from "@/lib/wording";

const WORDS = TEXTS.holding;

// most runs ask nothing that is answered in words
const AnswerHere = lazy(() => import("@/components/answer-here"));

export function Holding({ id }: { id: string }) {
  const hold = useQuery(holdQuery(id));
  if (hold.isPending) return <p className="text-ink-3">{WORDS.waitingForPeople}</p>;
  if (hold.isError) return <p className="text-ink-3">{WORDS.onlyThoseAsked}</p>;
  return <Card hold={hold.data} />;
}

/** What the run waits for, in a line: the way to it without reading the whole story. */
export function WaitsFor({ id }: { id: string }) {
  const hold = useQuery(holdQuery(id)).data;
  if (hold?.status !== "pending") return null;
  return (
    <li>
      <Link to="/holds/$holdId" params={{ holdId: id }} className="flex items-center gap-3 rounded-lg bg-high-soft px-4 py-2.5 text-high hover:brightness-97 dark:hover:brightness-115">
        <Hand aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 flex-1 break-words">
          {hold.kind === "input" ? WORDS.waitingForAnswer : WORDS.waitingFor(needsBriefly(hold))}
        </span>
        <ArrowRight aria-hidden className="size-4 shrink-0" />
      </Link>
    </li>
  );
}

function Card({ hold }: { hold: Hold }) {
  const waits = hold.status === "pending";
  const answers = waits && hold.kind === "input" && hold.may_decide.allowed;
  return (
    <div id={`hold-${hold.id}`} className={cn("relative rounded-lg border px-4 py-3", waits ? "border-high/60 bg-high-soft/40" : "border-line bg-panel")}>
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-ink-3">
        <HoldMark hold={hold} />
        {hold.kind === "input" ? null : <span>{hold.kind}</span>}
        {waits ? <Left hold={hold} /> : null}
      </p>
      <p className="mt-0.5 font-medium break-words">{headline(hold)}</p>
      {answers && hold.description ? <p className="mt-1 break-words whitespace-pre-wrap text-ink-2">{plain(hold.description)}</p> : null}
      {answers ? (
        <div className="relative z-10 mt-3">
          <Suspense>
            <AnswerHere hold={hold} />
          </Suspense>
        </div>
      ) : null}
      <p className="mt-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <State hold={hold} />
        <Link
          to="/holds/$holdId"
          params={{ holdId: hold.id }}
          className="inline-flex items-center gap-1 font-medium text-accent after:absolute after:inset-0 after:rounded-lg hover:underline"
        >
          {waits && hold.may_decide.allowed && !answers ? WORDS.decide : WORDS.openHold}
          <ArrowRight aria-hidden className="size-3.5" />
        </Link>
      </p>
    </div>
  );
}

function Left({ hold }: { hold: Hold }) {
  const left = deadline(hold, useNow());
  return left ? <span>{left}</span> : null;
}

function State({ hold }: { hold: Hold }) {
  const { decision } = hold;
  if (!decision) {
    const so = progress(hold);
    return <span className="text-ink-2">{hold.kind === "input" ? WORDS.waitingForAnswer : WORDS.waitingForPart(needsBriefly(hold), so)}</span>;
  }
  const words = outcome(decision);
  return (
    <span className="min-w-0 text-ink-2">
      {words.charAt(0).toUpperCase() + words.slice(1)} <Ago at={decision.at} />
      {decision.reason ? <q className="ml-1 break-words">{plain(decision.reason)}</q> : null}
      {typeof decision.answer === "string" ? <q className="ml-1 break-words">{plain(decision.answer)}</q> : null}
    </span>
  );
}
