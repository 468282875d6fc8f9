/** A list beside what is open of it; where there is room for one of them, the one that is wanted. */
import { Link, type LinkProps } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { problemFrom } from "@/lib/api";
import { cn } from "@/lib/cn";

interface DeskProps {
  label: string;
  list: ReactNode;
  /** Whether what is beside the list comes first. */
  beside: boolean;
  children: ReactNode;
}

export function Desk({ label, list, beside, children }: DeskProps) {
  return (
    <div className="flex h-full min-h-0">
      <section aria-label={label} className={cn("flex min-h-0 w-full flex-col border-r border-line md:w-88 lg:w-104", beside && "hidden md:flex")}>
        {list}
      </section>
      <div className={cn("min-h-0 min-w-0 flex-1", !beside && "hidden md:block")}>{children}</div>
    </div>
  );
}

interface BesideProps {
  /** The list's address and name: the way back to it. */
  back: LinkProps;
  name: string;
  children: ReactNode;
}

/** What is open beside a list. */
export function Beside({ back, name, children }: BesideProps) {
  return (
    <div className="flex h-full min-h-0 flex-col bg-panel">
      <div className="border-b border-line px-2 py-1 md:hidden">
        <Link {...back} className="inline-flex h-9 items-center gap-2 px-2 text-ink-2">
          <ArrowLeft aria-hidden className="size-4" /> {name}
        </Link>
      </div>
      {children}
    </div>
  );
}

interface FetchedProps<T> {
  query: { data: T | undefined; error: Error | null };
  what: string;
  children: (data: T) => ReactNode;
}

/** A thing once it is there; until then that it comes, or why it does not. */
export function Fetched<T>({ query, what, children }: FetchedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Notice tone="error" heading title={problemFrom(query.error).message} className="m-6" />;
  return <Waiting what={what} />;
}

/** Beside a list while nothing of it is open. */
export function NothingBeside({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 p-8 text-center text-ink-3">
      <p className="text-base text-ink-2">{title}</p>
      <p className="hidden pointer-fine:block">{children}</p>
    </div>
  );
}
