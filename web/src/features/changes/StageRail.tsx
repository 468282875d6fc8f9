import { Check, Circle, CircleDot, Hand, RotateCcw, X, type LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Change } from "@/features/changes/model";
import { railOf, type State, type Stop } from "@/features/changes/rail";
import { TEXTS } from "@/features/changes/texts";
import { useNow } from "@/lib/clock";
import { cn } from "@/lib/cn";
import { span } from "@/lib/format";

const WORDS = TEXTS.stageRail;

// seen without colour: a shape and a word for each
const LOOK: Record<State, { icon: LucideIcon; tone: string; words: string }> = {
  done: { icon: Check, tone: "border-good/50 bg-good-soft text-good", words: "done" },
  active: { icon: CircleDot, tone: "border-accent bg-accent text-accent-ink", words: WORDS.inProgress },
  waits: { icon: Hand, tone: "border-high bg-high-soft text-high", words: WORDS.waitingForPeople },
  failed: { icon: X, tone: "border-critical/50 bg-critical-soft text-critical", words: "failed" },
  again: { icon: RotateCcw, tone: "border-line bg-panel text-ink-3", words: WORDS.toBeRepeated },
  ahead: { icon: Circle, tone: "border-line bg-panel text-ink-3", words: WORDS.notYet },
};

/** The stages in their order, each with how it stands and how long it took. */
export function StageRail({ change, asked }: { change: Change; asked: string | null }) {
  const stops = railOf(change, asked, useNow());
  const rail = useRef<HTMLOListElement>(null);
  const current = stops.findLastIndex((stop) => stop.state !== "ahead" && stop.state !== "again");
  // on a phone the rail is longer than the screen; the page itself must not move
  useEffect(() => {
    const stop = rail.current?.children[current];
    if (rail.current && stop instanceof HTMLElement) rail.current.scrollLeft = stop.offsetLeft - rail.current.offsetLeft - 16;
  }, [current]);
  return (
    <ol ref={rail} aria-label={WORDS.stages} tabIndex={0} className="flex overflow-x-auto border-b border-line bg-surface px-4 py-2.5 sm:px-6">
      {stops.map((stop, index) => (
        <Shown key={stop.name} stop={stop} last={index === stops.length - 1} />
      ))}
    </ol>
  );
}

function Shown({ stop, last }: { stop: Stop; last: boolean }) {
  const { icon: Icon, tone, words } = LOOK[stop.state];
  const active = stop.state === "active" || stop.state === "waits";
  return (
    <li aria-current={active ? "step" : undefined} className={cn("flex min-w-fit items-start gap-2", last ? "shrink-0" : "flex-1")}>
      <span aria-hidden className={cn("flex size-6 shrink-0 items-center justify-center rounded-full border", tone)}>
        <Icon className={cn("size-3.5", stop.state === "active" && "animate-pulse")} />
      </span>
      <span className="min-w-0 text-xs leading-4">
        <span className={cn("block whitespace-nowrap", active ? "font-semibold" : stop.state === "ahead" ? "text-ink-3" : "text-ink-2")}>{stop.name}</span>
        <span className="block whitespace-nowrap text-ink-3">
          <span className={stop.state === "active" || stop.ms > 0 ? "sr-only" : ""}>{stop.state === "ahead" ? <span className="sr-only">{words}</span> : words}</span>
          {stop.ms > 0 ? ` ${stop.ms < 1000 ? "< 1 s" : span(stop.ms)}` : ""}
          {stop.times > 1 ? ` · ${stop.times}×` : ""}
        </span>
      </span>
      {last ? null : <span aria-hidden className="mt-3 mx-2 h-px min-w-3 flex-1 bg-line-strong/40" />}
    </li>
  );
}
