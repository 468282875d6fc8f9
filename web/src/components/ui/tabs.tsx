/** Tabs over a panel, as the keyboard knows them: Tab stops once, arrows, Home and End go from one to the next and open it. */
import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import { cn } from "@/lib/cn";

interface Props {
  label: string;
  names: string[];
  open: string;
  onOpen: (name: string) => void;
  /** What stands on a tab. */
  line: (name: string) => ReactNode;
  /** The panel of the tab that is open. */
  children: ReactNode;
}

export function Tabs({ label, names, open, onOpen, line, children }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function pressed(event: KeyboardEvent) {
    const at = names.indexOf(open);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
    const name = next === undefined ? undefined : names[(next + names.length) % names.length];
    if (name === undefined) return;
    event.preventDefault();
    onOpen(name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[names.indexOf(name)]?.focus();
  }

  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className="flex flex-wrap gap-1" onKeyDown={pressed}>
        {names.map((name) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === open}
            aria-controls={`${id}-panel`}
            tabIndex={name === open ? 0 : -1}
            className={cn("h-8 cursor-pointer rounded-md px-3 font-mono text-xs text-ink-2 hover:bg-sunken", name === open && "bg-sunken font-semibold text-ink")}
            onClick={() => onOpen(name)}
          >
            {line(name)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open}`}>
        {children}
      </div>
    </>
  );
}
