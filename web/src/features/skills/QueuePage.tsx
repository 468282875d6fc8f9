/** The candidates that wait, with what the scan found; each is decided by its hold. */
import { useQuery } from "@tanstack/react-query";
import { Link, linkOptions } from "@tanstack/react-router";
import { ArrowRight, ShieldAlert, ShieldCheck } from "lucide-react";
import { Beside, Fetched } from "@/components/desk";
import { Findings } from "@/components/findings";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/toasts";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { queueQuery, useApproveSafe, type Candidate } from "@/features/skills/api";
import { TEXTS } from "@/features/skills/texts";
import { problemFrom } from "@/lib/api";
import { line, plural } from "@/lib/format";
import { useMe } from "@/lib/me";
import { useSettled } from "@/lib/settled";
import type { Skill } from "@/lib/skills";

const WORDS = TEXTS.queuePage;

export function QueuePage() {
  const queue = useQuery(queueQuery);
  return (
    <Beside back={linkOptions({ to: "/skills", search: {} })} name="Skills">
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-3xl space-y-6 px-4 py-6 sm:px-8">
          <Fetched query={queue} what={WORDS.theQueue}>
            {(candidates) => <Queue candidates={candidates} />}
          </Fetched>
        </div>
      </div>
    </Beside>
  );
}

function Queue({ candidates }: { candidates: Candidate[] }) {
  const approving = useApproveSafe();
  const me = useMe();
  // the server refuses what you registered yourself: the button does not promise it
  const safe = candidates.filter((one) => one.skill?.safe && one.skill.registered_by.id !== me.id).length;
  // one that was registered a moment ago has not been read yet
  const settled = useSettled(candidates.map((one) => one.skill?.hold_id).join(" "));
  function approve() {
    approving.mutate(undefined, {
      onSuccess: ({ approved, left }) => {
        const rest = left.length > 0 ? WORDS.leftForOthersToDecide(left.map(line).join(", ")) : "";
        toast({ title: approved.length > 0 ? WORDS.approved(approved.map(line).join(", "), rest) : WORDS.thereWasNothingYouCould(rest), tone: "good" });
      },
    });
  }
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="space-y-1">
          <h1 className="text-xl font-semibold">{WORDS.waitingForDecision}</h1>
          <p className="text-ink-2">{candidates.length === 0 ? WORDS.nothingHere : WORDS.safeMeansScanFoundNothing}</p>
        </div>
        {safe > 0 ? (
          <Button tone="accent" disabled={approving.isPending} waits={!settled} onClick={approve}>
            <ShieldCheck aria-hidden className="size-4" />
            {approving.isPending ? WORDS.sending : WORDS.approveAllSafe(safe)}
          </Button>
        ) : null}
      </header>
      {approving.isError ? <Notice tone="error" title={problemFrom(approving.error).message} /> : null}
      <ul aria-label={WORDS.candidates} className="space-y-4">
        {candidates.map((one) => (one.skill ? <Waiting key={one.skill.hold_id} candidate={one} skill={one.skill} /> : null))}
      </ul>
    </>
  );
}

function Waiting({ candidate, skill }: { candidate: Candidate; skill: Skill }) {
  const isMine = useMe().id === skill.registered_by.id;
  return (
    <li className="space-y-3 rounded-xl border border-line p-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="font-semibold">{line(skill.name)}</h2>
        <span className="text-xs text-ink-3">
          {WORDS.version(skill.version)} {candidate.outcome === "update" ? WORDS.anUpdate : WORDS.new}{WORDS.by(line(skill.registered_by.name))} <Ago at={skill.registered_at} />
        </span>
        <SafeMark safe={skill.safe} />
      </div>
      <p className="break-words text-ink-2">{line(skill.description)}</p>
      {isMine ? <p>{WORDS.youRegisteredThis}</p> : null}
      {candidate.findings.length > 0 ? (
        <details open={!skill.safe}>
          <summary className="cursor-pointer text-ink-2">{plural(candidate.findings.length, "finding")}</summary>
          <div className="mt-2">
            <Findings of={candidate.findings} />
          </div>
        </details>
      ) : null}
      <Link to="/holds/$holdId" params={{ holdId: skill.hold_id }} className="inline-flex items-center gap-1 font-medium text-accent hover:underline">
        {isMine ? WORDS.viewFiles : WORDS.viewFilesAndDecide} <ArrowRight aria-hidden className="size-3.5" />
      </Link>
    </li>
  );
}

export function SafeMark({ safe }: { safe: boolean }) {
  const Icon = safe ? ShieldCheck : ShieldAlert;
  return (
    <span className={`inline-flex items-center gap-1.5 text-xs font-medium ${safe ? "text-good" : "text-high"}`}>
      <Icon aria-hidden className="size-3.5" /> {safe ? WORDS.safe : WORDS.hasFindings}
    </span>
  );
}
