import { Link } from "@tanstack/react-router";
import { Ago } from "@/components/ui/time";
import type { Preview } from "@/features/hold/allowing/api";
import { TEXTS } from "@/features/hold/allowing/texts";
import { cn } from "@/lib/cn";
import { line } from "@/lib/format";

const WORDS = TEXTS.covered;

const SHOWN = 8;
const STOPPED = ["rejected", "cancelled", "expired"];

/** Past calls that a grant would have covered; those that somebody stopped come first. */
export function Covered({ preview }: { preview: Preview }) {
  const { covered, calls } = preview;
  const stopped = covered.filter((one) => STOPPED.includes(one.outcome)).length;
  return (
    <section aria-label={WORDS.callsThatItWouldHave} className="space-y-1">
      <p className="text-ink-2">
        {WORDS.ofCallsInLast30(calls, covered.length)}
        {stopped > 0 ? <strong className="text-critical">{WORDS.ofWhichNobodyApproved(stopped)}</strong> : null}.
      </p>
      {covered.length === 0 ? null : (
        <ul className="max-h-48 divide-y divide-line overflow-y-auto rounded border border-line">
          {covered.slice(0, SHOWN).map((one) => (
            <li key={one.hold} className="flex flex-wrap gap-x-3 px-3 py-1.5">
              <span className={cn("w-20 font-medium", STOPPED.includes(one.outcome) && "text-critical")}>{one.outcome}</span>
              <Link to="/holds/$holdId" params={{ holdId: one.hold }} className="underline">
                {one.short_id}
              </Link>
              <span className="min-w-0 flex-1 truncate">{line(one.title)}</span>
              <span className="text-ink-3">
                <Ago at={one.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {covered.length > SHOWN ? <p className="text-xs text-ink-3">{WORDS.andMoreCalls(covered.length - SHOWN)}</p> : null}
    </section>
  );
}
