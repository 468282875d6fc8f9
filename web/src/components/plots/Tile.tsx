import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

/** Tiles side by side. */
export function Tiles({ children }: { children: ReactNode }) {
  return <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-panel md:grid-cols-4">{children}</ul>;
}

interface Props {
  name: string;
  value: string;
  note: ReactNode;
  /** Worth a look: said by weight and colour. */
  bad?: boolean;
  /** What it counts. */
  link?: LinkProps;
}

/** One number that one looks for. */
export function Tile({ name, value, note, bad = false, link }: Props) {
  const inner = (
    <>
      <span className="block text-xs text-ink-3">{name}</span>
      <span className="block text-xl font-semibold tabular-nums">{value}</span>
      <span className={cn("block text-xs", bad ? "font-medium text-high" : "text-ink-3")}>{note}</span>
    </>
  );
  return (
    <li className="bg-panel shadow-[0_0_0_1px_var(--line)]">
      {link ? (
        <Link {...link} className="block h-full px-4 py-3 hover:bg-sunken">
          {inner}
        </Link>
      ) : (
        <div className="px-4 py-3">{inner}</div>
      )}
    </li>
  );
}
