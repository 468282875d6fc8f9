/** How far a registration has come: each folder as soon as it was looked at. It continues without this window. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { registrationQuery, type Candidate, type Registration } from "@/features/skills/api";
import { TEXTS } from "@/features/skills/texts";
import { line, plain, plural } from "@/lib/format";
import { isActive } from "@/lib/runs";

const WORDS = TEXTS.progress;

// each browser has its own name for the parts of one
const BAR =
  "block h-1.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent";

export function Progress({ runId, onClose }: { runId: string; onClose: () => void }) {
  const registration = useQuery(registrationQuery(runId)).data;
  if (!registration) return null;
  const { candidates, error } = registration;
  const active = isActive(registration);
  return (
    <div className="space-y-4">
      <div className="space-y-1.5">
        <p role="status" className="font-medium">
          {saidOf(registration)}
        </p>
        {active ? (
          <progress aria-label={WORDS.foldersLookedAt} className={BAR} max={registration.total ?? 1} value={registration.total ? candidates.length : undefined} />
        ) : null}
      </div>
      {error ? <Notice tone="error" title={line(error.message)} /> : null}
      <ul aria-label={WORDS.folders} className="divide-y divide-line">
        {candidates.map((one) => (
          <Folder key={one.path} one={one} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        {active ? <p className="mr-auto text-xs text-ink-3">{WORDS.youCanCloseThis}</p> : null}
        <Link to="/runs/$runId" params={{ runId }} className="font-medium text-accent hover:underline" onClick={onClose}>
          {WORDS.showTheRun}
        </Link>
        <Link to="/skills/queue" className="font-medium text-accent hover:underline" onClick={onClose}>
          {WORDS.goToQueue}
        </Link>
        <Button tone="accent" autoFocus onClick={onClose}>
          {active ? WORDS.close : WORDS.done}
        </Button>
      </div>
    </div>
  );
}

function saidOf({ status, total, candidates }: Registration): string {
  if (status === "queued") return WORDS.waitingForAWorker;
  if (total === null) return status === "failed" ? WORDS.nothingCouldBeRead : WORDS.lookingForSkills;
  if (candidates.length < total) return WORDS.lookedAtOf(candidates.length, plural(total, "folder"));
  return WORDS.lookedAt(plural(total, "folder"));
}

const OUTCOME: Record<Candidate["outcome"], string> = {
  new: WORDS.isWaitingForADecision,
  update: WORDS.isAnUpdateWaitingFor,
  unchanged: WORDS.isUnchanged,
  refused: WORDS.wasRefused,
};

function Folder({ one }: { one: Candidate }) {
  const waits = one.outcome === "new" || one.outcome === "update";
  return (
    <li className="py-2">
      <p className="break-words">
        <span className="font-medium">{line(one.skill?.name ?? one.path)}</span> <span className="text-ink-2">{OUTCOME[one.outcome]}</span>
        {waits && one.skill ? <span className={one.skill.safe ? "text-ink-3" : "text-high"}>{one.skill.safe ? WORDS.safe : ` · ${plural(one.findings.length, "finding")}`}</span> : null}
      </p>
      {one.reason ? <p className="break-words whitespace-pre-wrap text-critical">{plain(one.reason)}</p> : null}
    </li>
  );
}
