/** Values of others, shown as they are: nothing is left out, nothing is rendered as markup. */
import { useState, type ReactNode } from "react";
import { DiffText, looksLikeDiff } from "@/components/diff";
import { plain, plural } from "@/lib/format";

// longer ones are folded first
const LONG_TEXT = 400;
const MANY = 30;

type Json = unknown;

/** The entries of an object as a table: name left, value right. */
export function Entries({ of }: { of: Record<string, Json> }) {
  const entries = Object.entries(of);
  const [all, setAll] = useState(entries.length <= MANY);
  return (
    <>
      <dl className="divide-y divide-line">
        {(all ? entries : entries.slice(0, MANY)).map(([name, value]) => (
          <div key={name} className="grid gap-x-4 gap-y-0.5 py-1.5 sm:grid-cols-[minmax(7rem,12rem)_1fr]">
            <dt className="font-mono text-xs leading-5 break-words text-ink-3">{plain(name)}</dt>
            <dd className="min-w-0">
              <Value of={value} />
            </dd>
          </div>
        ))}
      </dl>
      {all ? null : <More onClick={() => setAll(true)}>Show all {entries.length}</More>}
    </>
  );
}

/** An object as its entries, anything else as it is. */
export function Tree({ of }: { of: Json }) {
  const isTree = typeof of === "object" && of !== null && !Array.isArray(of);
  return isTree ? <Entries of={of as Record<string, Json>} /> : <Value of={of} />;
}

export function Value({ of }: { of: Json }): ReactNode {
  if (typeof of === "string") return <Text of={of} />;
  if (Array.isArray(of)) return <List of={of as Json[]} />;
  if (typeof of === "object" && of !== null) {
    const inner = of as Record<string, Json>;
    const size = Object.keys(inner).length;
    if (size === 0) return <span className="text-ink-3">empty</span>;
    return (
      <Fold summary={plural(size, "field")} open={size <= 8}>
        <Entries of={inner} />
      </Fold>
    );
  }
  return <code>{String(of)}</code>;
}

function Text({ of }: { of: string }) {
  const [all, setAll] = useState(of.length <= LONG_TEXT);
  if (of === "") return <span className="text-ink-3">empty text</span>;
  if (looksLikeDiff(of)) return <DiffText text={plain(of)} />;
  const shown = plain(all ? of : `${of.slice(0, LONG_TEXT)}…`);
  return (
    <>
      <span className="break-words whitespace-pre-wrap">{shown}</span>
      {all ? null : <More onClick={() => setAll(true)}>Show all {of.length.toLocaleString("en")} characters</More>}
    </>
  );
}

function List({ of }: { of: Json[] }) {
  const [all, setAll] = useState(of.length <= MANY);
  if (of.length === 0) return <span className="text-ink-3">empty list</span>;
  const simple = of.every((one) => typeof one !== "object" || one === null);
  return (
    <>
      <ol className={simple ? "flex flex-wrap gap-1.5" : "space-y-1.5"}>
        {(all ? of : of.slice(0, MANY)).map((one, index) => (
          // the place is what tells entries of a list apart
          <li key={index} className={simple ? "rounded bg-sunken px-1.5 py-0.5" : "rounded-md border border-line px-3 py-1"}>
            <Value of={one} />
          </li>
        ))}
      </ol>
      {all ? null : <More onClick={() => setAll(true)}>Show all {of.length}</More>}
    </>
  );
}

function Fold({ summary, open, children }: { summary: string; open: boolean; children: ReactNode }) {
  return (
    <details open={open} className="group">
      <summary className="cursor-pointer text-ink-3 marker:text-ink-3">{summary}</summary>
      <div className="border-l border-line pl-3">{children}</div>
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
