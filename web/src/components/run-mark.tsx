import { Ban, CircleCheck, CircleDashed, CircleDot, CirclePause, CircleX, ClockAlert, type LucideIcon } from "lucide-react";
import { cn } from "@/lib/cn";
import type { RunStatus } from "@/lib/runs";
import { TEXTS } from "@/components/texts";

// a status is seen without colour: a word and a shape of its own
const LOOK: Record<RunStatus, { icon: LucideIcon; colour: string; soft: string }> = {
  queued: { icon: CircleDashed, colour: "text-ink-2", soft: "bg-sunken" },
  running: { icon: CircleDot, colour: "text-accent", soft: "bg-accent-soft" },
  paused: { icon: CirclePause, colour: "text-high", soft: "bg-high-soft" },
  completed: { icon: CircleCheck, colour: "text-good", soft: "bg-good-soft" },
  failed: { icon: CircleX, colour: "text-critical", soft: "bg-critical-soft" },
  cancelled: { icon: Ban, colour: "text-ink-2", soft: "bg-sunken" },
  expired: { icon: ClockAlert, colour: "text-medium", soft: "bg-medium-soft" },
};

/** What people call the states. */
export const WORDS: Record<RunStatus, string> = {
  queued: "queued",
  running: "running",
  paused: TEXTS.runMark.waitingForPeople,
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
};

export function RunMark({ status, badge = false }: { status: RunStatus; badge?: boolean }) {
  const { icon: Icon, colour, soft } = LOOK[status];
  return (
    <span className={cn("inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap", colour, badge && `rounded-full px-2.5 py-0.5 ${soft}`)}>
      <Icon aria-hidden className={cn("size-3.5 shrink-0", status === "running" && "animate-pulse")} />
      {WORDS[status]}
    </span>
  );
}
