/** Values of others, shown as they are: nothing is left out, nothing is rendered as markup unless it is said to be prose. */
import { createContext, Suspense, use, useState, type ReactNode } from "react";
import { DiffText } from "@/components/diff";
import { TEXTS } from "@/components/texts";
import { plain, plural } from "@/lib/format";
import { lazy } from "@/lib/lazy";
import { looksLikeDiff, looksLikeMarkdown } from "@/lib/looks";
import { columnsOf, isFields, isPicture, reportOf } from "@/lib/shapes";

const WORDS = TEXTS.json;

// only some values need them
const Markdown = lazy(() => import("@/components/markdown"));
const Shown = {
  Table: lazy(async () => ({ default: (await import("@/components/shapes")).Table })),
  Report: lazy(async () => ({ default: (await import("@/components/shapes")).Report })),
  Picture: lazy(async () => ({ default: (await import("@/components/shapes")).Picture })),
};

// longer ones are folded first
const LONG_TEXT = 400;
const MANY = 30;
// deeper ones are folded first
const OPEN_DEPTH = 2;
const OPEN_FIELDS = 12;

type Json = unknown;

/** Whether texts may be Markdown: those that explain something, never those that are to be done. */
const Prose = createContext(false);

/** An object by its names: beside the value where that is one line, above it where it is more. */
export function Entries({ of, depth = 0 }: { of: Record<string, Json>; depth?: number }) {
  const entries = Object.entries(of);
  const [all, setAll] = useState(entries.length <= MANY);
  return (
    <>
      <dl className={depth === 0 ? "divide-y divide-line" : "space-y-1.5"}>
        {(all ? entries : entries.slice(0, MANY)).map(([name, value]) => (
          <div key={name} className={depth === 0 ? `grid gap-x-4 gap-y-0.5 py-1.5 ${isWide(value) ? "" : "sm:grid-cols-[minmax(7rem,12rem)_1fr]"}` : ""}>
            <dt className="font-mono text-xs leading-5 break-words text-ink-3">
              <bdi>{plain(name)}</bdi>
            </dt>
            <dd className="min-w-0">
              <Value of={value} depth={depth} />
            </dd>
          </div>
        ))}
      </dl>
      {all ? null : <More onClick={() => setAll(true)}>{WORDS.showAll(entries.length)}</More>}
    </>
  );
}

/** What needs the whole width: it stands below its name. */
function isWide(value: Json): boolean {
  if (Array.isArray(value)) return value.some((one) => typeof one === "object" && one !== null);
  return typeof value === "object" ? value !== null && Object.keys(value).length > 0 : typeof value === "string" && (looksLikeDiff(value) || isPicture(value));
}

/** An object as its entries, anything else as it is; and as JSON for whoever wants to see exactly that. */
export function Tree({ of, prose = false }: { of: Json; prose?: boolean }) {
  const [raw, setRaw] = useState(false);
  const nested = typeof of === "object" && of !== null;
  return (
    <Prose value={prose}>
      <div className="relative">
        {nested ? (
          <button
            type="button"
            aria-pressed={raw}
            onClick={() => setRaw(!raw)}
            className="absolute -top-8 right-0 cursor-pointer rounded border border-line px-1.5 py-0.5 font-mono text-xs text-ink-3 hover:bg-sunken hover:text-ink aria-pressed:bg-sunken aria-pressed:text-ink"
          >
            {WORDS.json}
          </button>
        ) : null}
        {raw ? (
          <pre tabIndex={0} aria-label={WORDS.json} className="max-h-96 overflow-auto rounded-lg border border-line bg-sunken px-4 py-3 text-xs leading-5 break-words whitespace-pre-wrap">
            {plain(JSON.stringify(of, null, 2))}
          </pre>
        ) : isFields(of) && reportOf(of) === null ? (
          <Entries of={of} />
        ) : (
          <Value of={of} />
        )}
      </div>
    </Prose>
  );
}

export function Value({ of, depth = 0 }: { of: Json; depth?: number }): ReactNode {
  if (typeof of === "string") return <Text of={of} />;
  if (Array.isArray(of)) return <List of={of as Json[]} depth={depth} />;
  if (!isFields(of)) return <code>{String(of)}</code>;
  const size = Object.keys(of).length;
  if (size === 0) return <span className="text-ink-3">{WORDS.empty}</span>;
  const report = reportOf(of);
  if (report) {
    return (
      <Suspense>
        <Shown.Report of={report}>{Object.keys(report.rest).length > 0 ? <Entries of={report.rest} depth={depth + 1} /> : null}</Shown.Report>
      </Suspense>
    );
  }
  return (
    <Fold summary={`${plural(size, "field")}: ${Object.keys(of).slice(0, 4).map(plain).join(", ")}${size > 4 ? "…" : ""}`} open={depth < OPEN_DEPTH && size <= OPEN_FIELDS}>
      <Entries of={of} depth={depth + 1} />
    </Fold>
  );
}

function Text({ of }: { of: string }) {
  const prose = use(Prose);
  const [all, setAll] = useState(of.length <= LONG_TEXT);
  if (of === "") return <span className="text-ink-3">{WORDS.emptyText}</span>;
  if (looksLikeDiff(of)) return <DiffText text={of} />;
  if (isPicture(of)) {
    return (
      <Suspense>
        <Shown.Picture of={of} />
      </Suspense>
    );
  }
  if (prose && looksLikeMarkdown(of)) {
    return (
      <Suspense fallback={<span className="break-words whitespace-pre-wrap">{plain(of)}</span>}>
        <Markdown text={of} />
      </Suspense>
    );
  }
  const shown = plain(all ? of : `${of.slice(0, LONG_TEXT)}…`);
  return (
    <>
      <bdi className="break-words whitespace-pre-wrap">{shown}</bdi>
      {all ? null : <More onClick={() => setAll(true)}>{WORDS.showAllCharacters(of.length.toLocaleString("en"))}</More>}
    </>
  );
}

function List({ of, depth }: { of: Json[]; depth: number }) {
  const [all, setAll] = useState(of.length <= MANY);
  if (of.length === 0) return <span className="text-ink-3">{WORDS.emptyList}</span>;
  const shown = all ? of : of.slice(0, MANY);
  const columns = columnsOf(of);
  const simple = of.every((one) => typeof one !== "object" || one === null);
  return (
    <>
      {columns ? (
        <Suspense>
          <Shown.Table columns={columns} rows={shown as Record<string, Json>[]} cell={(value) => <Value of={value} depth={depth + 1} />} />
        </Suspense>
      ) : (
        <ol className={simple ? "flex flex-wrap gap-1.5" : "space-y-1.5"}>
          {shown.map((one, index) => (
            // the place is what tells entries of a list apart
            <li key={index} className={simple ? "rounded bg-sunken px-1.5 py-0.5" : "rounded-md border border-line px-3 py-1"}>
              <Value of={one} depth={depth + 1} />
            </li>
          ))}
        </ol>
      )}
      {all ? null : <More onClick={() => setAll(true)}>{WORDS.showAll(of.length)}</More>}
    </>
  );
}

function Fold({ summary, open, children }: { summary: string; open: boolean; children: ReactNode }) {
  return (
    <details open={open} className="group">
      <summary className="cursor-pointer text-xs text-ink-3 marker:text-ink-3">{summary}</summary>
      <div className="mt-1 border-l border-line pl-3">{children}</div>
    </details>
  );
}

function More({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" onClick={onClick} className="ml-1 cursor-pointer text-accent underline underline-offset-2">
      {children}
    </button>
  );
}
