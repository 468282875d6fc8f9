import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Ago } from "@/components/ui/time";
import { cn } from "@/lib/cn";
import { line } from "@/lib/format";

interface Props {
  link: LinkProps;
  current: boolean;
  mark: ReactNode;
  at: string;
  title: string;
  about: string;
}

/** A row of a list of runs or sessions: how it stands, since when, what it is. */
export function Row({ link, current, mark, at, title, about }: Props) {
  return (
    <div className={cn("relative flex h-full border-b border-line px-4 transition-colors hover:bg-panel", current && "bg-panel")}>
      {current ? <span aria-hidden className="absolute inset-y-0 left-0 w-0.75 bg-accent" /> : null}
      <Link
        {...link}
        aria-current={current ? "true" : undefined}
        className="block min-w-0 flex-1 py-2.5 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      >
        <span className="flex items-center justify-between gap-3 text-xs text-ink-3">
          {mark}
          <span className="shrink-0">
            <Ago at={at} />
          </span>
        </span>
        <span className="mt-0.5 block truncate font-medium">{line(title)}</span>
        <span className="block truncate text-xs text-ink-3">{about}</span>
      </Link>
    </div>
  );
}
