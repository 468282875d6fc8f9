import { cn } from "@/lib/cn";
import type { HoldRow, Level } from "@/lib/holds";
import { TEXTS } from "@/components/texts";

const WORDS = TEXTS.risk;

// risk is seen without colour: a word and a shape of its own
const LOOK: Record<Level, { colour: string; soft: string; shape: string }> = {
  critical: { colour: "text-critical", soft: "bg-critical-soft", shape: "M8 1.8 15 14.2H1z" },
  high: { colour: "text-high", soft: "bg-high-soft", shape: "M8 .8 15.2 8 8 15.2.8 8z" },
  medium: { colour: "text-medium", soft: "bg-medium-soft", shape: "M2 2h12v12H2z" },
  low: { colour: "text-low", soft: "bg-low-soft", shape: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z" },
};

export function RiskShape({ level, className }: { level: Level; className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className={cn("size-3 shrink-0", LOOK[level].colour, className)}>
      <path d={LOOK[level].shape} fill="currentColor" />
    </svg>
  );
}

export function RiskWord({ level, className }: { level: Level; className?: string }) {
  return (
    <span className={cn("inline-flex items-center gap-1.5 font-medium", LOOK[level].colour, className)}>
      <RiskShape level={level} />
      {level}
    </span>
  );
}

export function RiskBadge({ level }: { level: Level }) {
  return <RiskWord level={level} className={cn("rounded-full px-2.5 py-0.5 text-xs", LOOK[level].soft)} />;
}

/** A ring for a question that asks for an answer and carries no high risk; else its risk. */
export function HoldMark({ hold }: { hold: Pick<HoldRow, "kind" | "risk"> }) {
  if (hold.kind !== "input" || hold.risk === "high" || hold.risk === "critical") return <RiskWord level={hold.risk} />;
  return (
    <span className="inline-flex items-center gap-1.5 font-medium text-low">
      <svg aria-hidden viewBox="0 0 16 16" className="size-3 shrink-0">
        <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="2.5" />
      </svg>
      {WORDS.input}
    </span>
  );
}
