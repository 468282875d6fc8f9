import type { ReactNode } from "react";
import { TEXTS } from "@/components/texts";

const WORDS = TEXTS.section;

/** A part of what is open, under its own heading. */
export function Section({ title, note, claim = false, children }: { title: string; note?: string; /** Nobody has checked it. */ claim?: boolean; children: ReactNode }) {
  return (
    <section aria-label={title} className="space-y-2">
      <h2 className="flex flex-wrap items-baseline gap-x-2 pr-14 font-semibold">
        {title}
        {claim ? (
          <span className="rounded border border-dashed border-line-strong px-1 text-xs font-normal text-ink-2" title={WORDS.handrailHasNotCheckedThis}>
            {WORDS.claimed}
          </span>
        ) : null}
        {note ? <span className="text-xs font-normal text-ink-3">{note}</span> : null}
      </h2>
      {children}
    </section>
  );
}
