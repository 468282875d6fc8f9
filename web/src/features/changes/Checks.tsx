/** The gates as a checklist: what failed and what a person must judge come first. */
import { Check as Tick, CircleHelp, Minus, X, type LucideIcon } from "lucide-react";
import type { Check, Finding, Verification } from "@/features/changes/model";
import { TEXTS } from "@/features/changes/texts";
import { cn } from "@/lib/cn";
import { line, plural, words } from "@/lib/format";
import { capital } from "@/lib/wording";

const WORDS = TEXTS.checks;

const LOOK: Record<Check["verdict"], { icon: LucideIcon; tone: string; words: string }> = {
  failed: { icon: X, tone: "bg-critical-soft text-critical", words: "failed" },
  unsure: { icon: CircleHelp, tone: "bg-high-soft text-high", words: WORDS.forYouToJudge },
  passed: { icon: Tick, tone: "bg-good-soft text-good", words: "passed" },
  not_applicable: { icon: Minus, tone: "bg-sunken text-ink-3", words: WORDS.notApplicable },
};
const ORDER: Check["verdict"][] = ["failed", "unsure", "passed", "not_applicable"];

export default function ChecksView({ verification, ended }: { verification: Verification | null | undefined; ended: boolean }) {
  if (!verification) return <p className="text-ink-3">{ended ? WORDS.itEndedBeforeItWas : WORDS.onceTestsHaveRun}</p>;
  const sorted = [...verification.checks].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  return (
    <div className="space-y-3">
      <p role="status" className="font-medium">
        {line(verification.words)}
      </p>
      <ul aria-label={WORDS.checks} className="divide-y divide-line rounded-lg border border-line">
        {sorted.map((check) => (
          <Shown key={check.name} check={check} />
        ))}
      </ul>
      <p className="text-xs text-ink-3">{WORDS.gateThatFailsStopsChange}</p>
    </div>
  );
}

function Shown({ check }: { check: Check }) {
  const { icon: Icon, tone, words: said } = LOOK[check.verdict];
  return (
    <li className="flex gap-3 px-4 py-2.5">
      <span aria-hidden className={cn("mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full", tone)}>
        <Icon className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1">
        <p>
          <span className="font-medium">{capital(words(check.name))}</span>{" "}
          <span className={check.verdict === "failed" ? "text-critical" : check.verdict === "unsure" ? "text-high" : "text-ink-3"}>{said}</span>
          {check.is_gate ? null : <span className="text-xs text-ink-3"> {WORDS.advice}</span>}
        </p>
        <p className="break-words text-ink-2">{line(check.words)}</p>
        {check.findings.length > 0 ? (
          <details open={check.verdict === "failed" || check.findings.length <= 3}>
            <summary className="cursor-pointer text-ink-3">{plural(check.count, "finding")}</summary>
            <ul className="mt-1 space-y-1.5 border-l-2 border-line pl-3">
              {check.findings.map((finding, index) => (
                <Found key={index} finding={finding} />
              ))}
            </ul>
          </details>
        ) : null}
      </div>
    </li>
  );
}

function Found({ finding }: { finding: Finding }) {
  return (
    <li className="break-words">
      {finding.path ? (
        <code className="text-ink-2">
          {line(finding.path)}
          {finding.line > 0 ? `:${finding.line}` : ""}
        </code>
      ) : null}{" "}
      {line(finding.what)} <span className="text-ink-3">{line(finding.why)}</span>
    </li>
  );
}
