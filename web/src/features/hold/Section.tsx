import type { ReactNode } from "react";

interface Props {
  title: string;
  count?: number;
  note?: string;
  children: ReactNode;
}

export function Section({ title, count, note, children }: Props) {
  return (
    <section aria-label={title} className="space-y-2">
      <h2 className="flex items-baseline gap-2 font-semibold">
        {title}
        {count === undefined ? null : <span className="font-normal text-ink-3">{count}</span>}
        {note ? <span className="text-xs font-normal text-ink-3">{note}</span> : null}
      </h2>
      {children}
    </section>
  );
}
