import type { ReactNode } from "react";

/** A page that scrolls as a whole: its title, what may be done at once, and its parts. */
export function Page({ title, intro, actions, children }: { title: string; intro?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="h-full overflow-y-auto" tabIndex={-1}>
      <div className="mx-auto max-w-4xl space-y-6 px-4 py-6 sm:px-8 sm:py-8">
        <header className="flex flex-wrap items-start gap-4">
          <div className="mr-auto space-y-1">
            <h1 className="text-xl font-semibold">{title}</h1>
            {intro ? <p className="max-w-xl text-ink-2">{intro}</p> : null}
          </div>
          {actions}
        </header>
        {children}
      </div>
    </div>
  );
}

export function Panel({ title, note, actions, children }: { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-xl border border-line bg-panel">
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-5 py-3">
        <h2 className="font-semibold">{title}</h2>
        {note ? <span className="text-xs text-ink-3">{note}</span> : null}
        {actions ? <div className="ml-auto flex gap-2">{actions}</div> : null}
      </div>
      <div className="px-5 py-4">{children}</div>
    </section>
  );
}
