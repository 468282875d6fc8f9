import { RiskWord } from "@/components/risk";
import { TEXTS } from "@/components/texts";
import type { Schemas } from "@/lib/api";
import { line } from "@/lib/format";
import { LEVELS } from "@/lib/holds";

const WORDS = TEXTS.findings;

type Finding = Schemas["FindingOut"];

/** What a scan found, the worst first, each with its place. */
export function Findings({ of }: { of: Finding[] }) {
  if (of.length === 0) return <p className="text-ink-2">{WORDS.scanFoundNothing}</p>;
  const sorted = [...of].sort((a, b) => LEVELS.indexOf(a.severity) - LEVELS.indexOf(b.severity));
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {sorted.map((one, index) => (
        // a rule may find the same twice in a file
        <li key={index} className="grid gap-x-4 px-4 py-2 sm:grid-cols-[6rem_1fr]">
          <RiskWord level={one.severity} className="text-xs" />
          <div className="min-w-0">
            <p className="break-words">{line(one.message)}</p>
            <p className="text-xs break-words text-ink-3">
              {one.file ? <code>{`${line(one.file)}${one.line ? `:${one.line}` : ""}`}</code> : null} {WORDS.rule(line(one.rule))}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
