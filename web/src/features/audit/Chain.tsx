import { Link2, ShieldCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import type { AuditEntry } from "@/features/audit/api";
import { TEXTS } from "@/features/audit/texts";
import { cn } from "@/lib/cn";

const WORDS = TEXTS.chain;
// as many as one takes in at a glance
const SHOWN = 8;

/** The newest entries as links of the chain that they are, oldest left, with what the newest seal covers. */
export function Chain({ entries, sealed, proven }: { entries: AuditEntry[]; sealed: number; proven: number | null }) {
  const shown = entries.slice(0, SHOWN).reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  const links = useRef<HTMLOListElement>(null);
  // where there is room for some of them, the newest and its seal are what one wants to see
  useEffect(() => {
    // some browsers return a promise here, which is nothing to clean up with
    links.current?.scrollTo({ left: links.current.scrollWidth });
  }, [last?.seq]);
  if (!first || !last) return null;
  return (
    <figure>
      <ol ref={links} aria-label={WORDS.title} className="flex items-stretch overflow-x-auto pb-2" tabIndex={0}>
        {first.seq > 1 ? (
          <li aria-hidden className="flex items-center pr-1 text-ink-3">
            {WORDS.open} <Link2 className="mx-1 size-4" />
          </li>
        ) : null}
        {shown.map((entry, index) => (
          <li key={entry.seq} className="flex shrink-0 items-center">
            {index > 0 ? <Link2 aria-hidden className="mx-1 size-4 text-ink-3" /> : null}
            <span
              className={cn(
                "block w-32 rounded-lg border px-2.5 py-1.5",
                entry.seq <= sealed ? "border-line-strong/60 bg-panel" : "border-dashed border-line-strong/60 bg-surface",
                proven !== null && (entry.seq <= proven ? "border-good" : "border-critical"),
              )}
            >
              <span className="sr-only">{WORDS.entry(entry.seq, entry.type, entry.hash)}</span>
              <span aria-hidden className="block font-mono text-xs text-ink-3">
                {entry.seq}
              </span>
              <span aria-hidden className="block truncate text-xs">
                {entry.type}
              </span>
              <code aria-hidden className="block text-xs text-ink-3">
                {entry.hash.slice(0, 12)}
              </code>
            </span>
          </li>
        ))}
        <li className="flex shrink-0 items-center pl-2 text-xs text-good">
          <ShieldCheck aria-hidden className="mr-1.5 size-4" /> {WORDS.seal(sealed)}
        </li>
      </ol>
      <figcaption className="text-xs text-ink-3">{WORDS.said(first.seq, last.seq, sealed)}</figcaption>
    </figure>
  );
}
