/** Evidence that looks like what it is: a table, a test report, a picture. */
import { Check, CircleSlash, X, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { TEXTS } from "@/components/texts";
import { plain, plural, words } from "@/lib/format";
import type { TestReport, TestRow } from "@/lib/shapes";

const WORDS = TEXTS.shapes;

interface TableProps {
  columns: string[];
  rows: Record<string, unknown>[];
  cell: (value: unknown) => ReactNode;
}

export function Table({ columns, rows, cell }: TableProps) {
  return (
    <div className="max-h-96 overflow-auto rounded-lg border border-line" tabIndex={0} role="group" aria-label={WORDS.table}>
      <table className="w-full text-left">
        <thead className="sticky top-0 bg-sunken text-xs text-ink-2">
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 font-medium whitespace-nowrap">
                {words(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row, index) => (
            <tr key={index} className="align-top">
              {columns.map((name) => (
                <td key={name} className="px-3 py-1.5 tabular-nums">
                  {name in row ? cell(row[name]) : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const LOOK: Record<TestRow["outcome"], { icon: LucideIcon; colour: string; bar: string }> = {
  failed: { icon: X, colour: "text-critical", bar: "bg-critical" },
  passed: { icon: Check, colour: "text-good", bar: "bg-good" },
  skipped: { icon: CircleSlash, colour: "text-ink-3", bar: "bg-line-strong" },
};
const ORDER = ["failed", "skipped", "passed"] as const;

/** How tests ended, in words and as a bar; failing ones first, with what they said. */
export function Report({ of, children }: { of: TestReport; children: ReactNode }) {
  const all = of.passed + of.failed + of.skipped;
  return (
    <div className="space-y-2">
      <p className="flex flex-wrap gap-x-4">
        {(["passed", "failed", "skipped"] as const).map((outcome) => {
          const Icon = LOOK[outcome].icon;
          return of[outcome] > 0 || outcome !== "skipped" ? (
            <span key={outcome} className={`inline-flex items-center gap-1 font-medium ${of[outcome] > 0 ? LOOK[outcome].colour : "text-ink-3"}`}>
              <Icon aria-hidden className="size-4" />
              {of[outcome].toLocaleString("en")} {outcome}
            </span>
          ) : null;
        })}
        <span className="text-ink-3">{plural(all, "test")}</span>
      </p>
      {all > 0 ? (
        <svg aria-hidden className="block h-1.5 w-full overflow-hidden rounded-full" preserveAspectRatio="none" viewBox={`0 0 ${all} 1`}>
          <rect width={of.passed} height="1" className="fill-good" />
          <rect x={of.passed} width={of.failed} height="1" className="fill-critical" />
          <rect x={of.passed + of.failed} width={of.skipped} height="1" className="fill-line-strong" />
        </svg>
      ) : null}
      {of.tests.length > 0 ? (
        <details open={of.failed > 0}>
          <summary className="cursor-pointer text-xs text-ink-3">{WORDS.testsByName(of.tests.length)}</summary>
          <ul className="mt-1 max-h-72 overflow-y-auto" tabIndex={0} aria-label={WORDS.tests}>
            {ORDER.flatMap((outcome) => of.tests.filter((test) => test.outcome === outcome)).map((test, index) => (
              <Test key={index} test={test} />
            ))}
          </ul>
        </details>
      ) : null}
      {children}
    </div>
  );
}

function Test({ test }: { test: TestRow }) {
  const { icon: Icon, colour } = LOOK[test.outcome];
  return (
    <li className="py-0.5">
      <p className="flex gap-2">
        <Icon aria-label={test.outcome} className={`mt-0.5 size-4 shrink-0 ${colour}`} />
        <span className="min-w-0 font-mono text-xs leading-5 break-words">{plain(test.name)}</span>
      </p>
      {test.message ? <pre className="ml-6 overflow-x-auto text-xs whitespace-pre-wrap text-ink-2">{plain(test.message)}</pre> : null}
    </li>
  );
}

export function Picture({ of }: { of: string }) {
  return <img src={of} alt={WORDS.suppliedWithRequest} className="max-h-96 max-w-full rounded-lg border border-line" />;
}
