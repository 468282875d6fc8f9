import type { ReactNode } from "react";

/** A part of what is open, under its own heading. */
export function Section({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="space-y-2">
      <h2 className="flex items-baseline gap-2 font-semibold">
        {title}
        {note ? <span className="text-xs font-normal text-ink-3">{note}</span> : null}
      </h2>
      {children}
    </section>
  );
}
