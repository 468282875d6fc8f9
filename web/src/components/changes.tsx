/** What became of each value: was, is. */
import { value, words } from "@/lib/format";
import type { Change } from "@/lib/changes";
import { TEXTS } from "@/components/texts";

const WORDS = TEXTS.changes;

export function Changes({ of }: { of: Change[] }) {
  return (
    <ul className="space-y-1 rounded-lg border border-line px-3 py-2">
      {of.map((change) => (
        <li key={change.path} className="flex flex-wrap items-baseline gap-x-2">
          <code className="text-ink-2">{change.path}</code>
          {change.was === undefined ? null : <del className="rounded bg-critical-soft px-1 text-critical">{said(change.was)}</del>}
          <span aria-hidden>→</span>
          {change.is === undefined ? <em>{WORDS.removed}</em> : <ins className="rounded bg-good-soft px-1 text-good no-underline">{said(change.is)}</ins>}
        </li>
      ))}
    </ul>
  );
}

/** A thing by what is filled in of it. */
function said(thing: unknown): string {
  if (typeof thing !== "object" || thing === null || Array.isArray(thing)) return value(thing);
  const filled = Object.entries(thing).filter(([, one]) => one !== "" && one !== null && !(Array.isArray(one) && one.length === 0));
  return filled.map(([name, one]) => `${words(name)} ${value(one)}`).join(", ");
}
