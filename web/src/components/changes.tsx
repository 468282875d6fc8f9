/** What became of each value: was, is. */
import { value } from "@/lib/format";
import type { Change } from "@/lib/changes";

export function Changes({ of }: { of: Change[] }) {
  return (
    <ul className="space-y-1 rounded-lg border border-line px-3 py-2">
      {of.map((change) => (
        <li key={change.path} className="flex flex-wrap items-baseline gap-x-2">
          <code className="text-ink-2">{change.path}</code>
          {change.was === undefined ? null : <del className="rounded bg-critical-soft px-1 text-critical">{value(change.was)}</del>}
          <span aria-hidden>→</span>
          {change.is === undefined ? <em>removed</em> : <ins className="rounded bg-good-soft px-1 text-good no-underline">{value(change.is)}</ins>}
        </li>
      ))}
    </ul>
  );
}
