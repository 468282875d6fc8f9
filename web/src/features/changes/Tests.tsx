/** Every test as it ends, failures first; how it ended before the change beside it. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Ban, Check, CircleHelp, X, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { Notice } from "@/components/ui/notice";
import { Pick } from "@/components/ui/pick";
import { isBroken, keyOf, type Change, type Ran, type Round, type TestRow } from "@/features/changes/model";
import { TEXTS } from "@/features/changes/texts";
import { cn } from "@/lib/cn";
import { line, plain, plural } from "@/lib/format";

const WORDS = TEXTS.tests;

const MOST = 300;

export default function TestsView({ change, ended }: { change: Change; ended: boolean }) {
  // in the address: it outlasts a reload, and the page's turn from watching to deciding
  const { attempt } = useSearch({ from: "/shell/changes/$changeId" });
  const navigate = useNavigate({ from: "/changes/$changeId" });
  const { rounds } = change;
  const picked = attempt !== undefined && attempt <= rounds.length ? attempt - 1 : undefined;
  // a round over files that were tested before has no tests of its own: their results were kept
  const newest = rounds.findLastIndex((round) => round.tests.length > 0);
  const at = picked ?? (newest < 0 ? rounds.length - 1 : newest);
  const round = rounds[at];
  if (!round) return <p className="text-ink-3">{ended ? WORDS.itEndedBeforeAnyTest : WORDS.testsRunOnceChangeHas}</p>;
  const live = change.spans.at(-1)?.stage === "testing" && change.spans.at(-1)?.ended === null;
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="font-medium">
          {summary(round)}
          {live && at === rounds.length - 1 ? <span className="font-normal text-ink-3"> {WORDS.soFar}</span> : null}
        </p>
        {rounds.length > 1 ? (
          <div className="w-64 max-w-full">
            <Pick
              label={WORDS.whichAttempt}
              every={WORDS.newestAttempt}
              value={picked === undefined ? undefined : String(picked + 1)}
              options={rounds.map((one, index) => [String(index + 1), WORDS.attempt(index + 1, summary(one))])}
              onPick={(value) => void navigate({ search: { tab: "tests", ...(value ? { attempt: Number(value) } : {}) }, replace: true })}
            />
          </div>
        ) : null}
      </div>
      {at < rounds.length - 1 && picked === undefined ? <p className="text-ink-3">{WORDS.filesAreSameAsThen}</p> : null}
      {round.ran.filter((one) => one.fault).map((one) => (
        <Notice key={one.tool} tone="error" title={WORDS.gaveNoResult(line(one.tool))}>
          {line(one.fault)}
        </Notice>
      ))}
      <Table round={round} base={change.base} />
      {round.ran.map((one) => (
        <Output key={one.tool} of={one} />
      ))}
    </div>
  );
}

export function summary(round: Round): string {
  const broken = round.tests.filter(isBroken).length;
  const skipped = round.tests.filter((row) => row.outcome === "skipped").length;
  if (round.tests.length === 0) return round.ran.some((one) => one.summary["kept"]) ? WORDS.resultsKept : WORDS.noTestsYet;
  const rest = skipped > 0 ? WORDS.skipped(skipped) : "";
  return broken > 0 ? WORDS.ofFailed(broken, plural(round.tests.length, "test"), rest) : WORDS.allPassed(plural(round.tests.length, "test"), rest);
}

const LOOK: Record<string, { icon: LucideIcon; tone: string }> = {
  passed: { icon: Check, tone: "text-good" },
  skipped: { icon: Ban, tone: "text-ink-3" },
  failed: { icon: X, tone: "text-critical" },
};
const BROKEN = { icon: X, tone: "text-critical" };

function Outcome({ of }: { of: string | undefined }) {
  if (of === undefined) return <span className="text-ink-3">{WORDS.new}</span>;
  const { icon: Icon, tone } = LOOK[of] ?? BROKEN;
  return (
    <span className={cn("inline-flex items-center gap-1.5 whitespace-nowrap", tone)}>
      <Icon aria-hidden className="size-4" />
      {line(of)}
    </span>
  );
}

/** New failures, other failures, flaky ones, the rest. */
function rank(row: TestRow, base: string | undefined): number {
  if (isBroken(row)) return base === undefined || isBroken({ outcome: base }) ? 1 : 0;
  return row.flaky ? 2 : 3;
}

function Table({ round, base }: { round: Round; base: Record<string, string> }) {
  const [all, setAll] = useState(false);
  const sorted = round.tests
    .map((row) => ({ row, was: base[keyOf(row)] }))
    .sort((a, b) => rank(a.row, a.was) - rank(b.row, b.was));
  if (sorted.length === 0) return null;
  return (
    <div className="overflow-x-auto rounded-lg border border-line" tabIndex={0} role="region" aria-label={WORDS.testResults}>
      <table className="w-full text-left">
        <thead className="bg-surface text-xs text-ink-3">
          <tr>
            <th scope="col" className="px-3 py-2 font-medium">{WORDS.now}</th>
            <th scope="col" className="w-full px-3 py-2 font-medium">{WORDS.test}</th>
            <th scope="col" className="px-3 py-2 font-medium max-sm:hidden">{WORDS.before}</th>
            <th scope="col" className="px-3 py-2 text-right font-medium max-sm:hidden">{WORDS.time}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {(all ? sorted : sorted.slice(0, MOST)).map(({ row, was }) => (
            <Row key={keyOf(row)} row={row} was={was} output={round.ran.find((one) => one.tool === row.tool)?.output ?? ""} />
          ))}
        </tbody>
      </table>
      {all || sorted.length <= MOST ? null : (
        <button type="button" onClick={() => setAll(true)} className="m-3 cursor-pointer text-accent underline underline-offset-2">
          {WORDS.showAll(sorted.length.toLocaleString("en"))}
        </button>
      )}
    </div>
  );
}

function Row({ row, was, output }: { row: TestRow; was: string | undefined; output: string }) {
  const says = row.message || excerpt(output, row.name);
  const name = <span className="break-all">{line(row.name)}</span>;
  return (
    <tr className="align-top">
      <td className="px-3 py-2">
        <Outcome of={row.outcome} />
      </td>
      <td className="px-3 py-2">
        {isBroken(row) && says ? (
          <details>
            <summary className="cursor-pointer marker:text-ink-3">{name}</summary>
            <pre tabIndex={0} aria-label={WORDS.outputOf(line(row.name))} className="mt-2 max-h-80 overflow-auto rounded-md bg-sunken px-3 py-2 text-xs leading-5 whitespace-pre-wrap">
              {plain(says)}
            </pre>
          </details>
        ) : (
          name
        )}
        {row.flaky ? (
          <span className="mt-0.5 flex items-center gap-1 text-xs text-high">
            <CircleHelp aria-hidden className="size-3.5" /> {WORDS.flaky(row.times)}
          </span>
        ) : null}
      </td>
      <td className="px-3 py-2 max-sm:hidden">
        <Outcome of={was} />
      </td>
      <td className="px-3 py-2 text-right whitespace-nowrap text-ink-3 tabular-nums max-sm:hidden">{row.seconds === null ? "" : `${row.seconds.toFixed(2)} s`}</td>
    </tr>
  );
}

/** Where the runner's output speaks of a test that has no message of its own. */
export function excerpt(output: string, name: string): string {
  const last = name.split(/::|\./).at(-1) ?? name;
  const blocks = output.split(/\n(?======|_____|-----)/);
  return blocks.find((block) => block.includes(last) && block.split("\n").length > 3)?.trim() ?? "";
}

function Output({ of }: { of: Ran }) {
  if (!of.output) return null;
  return (
    <details>
      <summary className="cursor-pointer text-ink-2 marker:text-ink-3">{WORDS.outputOfTool(line(of.tool))}</summary>
      <pre tabIndex={0} aria-label={WORDS.outputOfTool(line(of.tool))} className="mt-2 max-h-96 overflow-auto rounded-lg border border-line bg-sunken px-4 py-3 text-xs leading-5">
        {plain(of.output)}
      </pre>
    </details>
  );
}
