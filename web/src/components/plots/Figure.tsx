/** A plot under the question that it answers: the answer in words, the picture, the numbers to read and to take away. */
import { Link, type LinkProps } from "@tanstack/react-router";
import { Suspense, useRef, type ReactNode } from "react";
import { toast } from "@/components/toasts";
import { saveCsv, savePng, type Exported } from "@/components/plots/export";
import { TEXTS } from "@/components/plots/texts";
import { cn } from "@/lib/cn";
import { lazy } from "@/lib/lazy";

export interface Cell {
  /** As it is read. */
  text: string;
  /** As a spreadsheet takes it. */
  value: string | number | null;
  /** What it counts. */
  link?: LinkProps | undefined;
}

export interface Numbers {
  head: string[];
  rows: Cell[][];
}

interface Props {
  title: string;
  /** The answer, for everybody: also for those who do not see the picture. */
  said: string;
  /** Of the file that is saved. */
  name: string;
  numbers: Numbers;
  className?: string;
  legend?: ReactNode;
  children: ReactNode;
}

const WORDS = TEXTS.figure;

// menus are a sixth of all script: they come when the page stands
const SaveMenu = lazy(() => import("@/components/plots/SaveMenu"));

export function Figure({ title, said, name, numbers, className, legend, children }: Props) {
  const picture = useRef<HTMLDivElement>(null);
  const exported: Exported[] = numbers.rows.map((row) => row.map((cell) => cell.value));
  function png() {
    const svg = picture.current?.querySelector("svg");
    if (svg) savePng(svg, title, name).catch(() => toast({ tone: "error", title: WORDS.failed }));
  }
  return (
    <section aria-label={title} className={cn("min-w-0 rounded-xl border border-line bg-panel px-5 py-4", className)}>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">{title}</h2>
          <p className="text-ink-2">{said}</p>
        </div>
        <span className="size-8 shrink-0 print:hidden">
          <Suspense>
            <SaveMenu title={title} onCsv={() => saveCsv(numbers.head, exported, name)} onPng={png} />
          </Suspense>
        </span>
      </div>
      {legend ? <div className="mt-2">{legend}</div> : null}
      <div ref={picture} aria-hidden className="mt-3">
        {children}
      </div>
      <details className="mt-2">
        <summary className="w-fit cursor-pointer py-1 text-xs text-ink-3">{WORDS.numbers}</summary>
        <div className="max-h-96 overflow-auto" tabIndex={0} role="group" aria-label={`${title} ${WORDS.numbers}`}>
          <NumberTable of={numbers} />
        </div>
      </details>
    </section>
  );
}

export function NumberTable({ of: { head, rows } }: { of: Numbers }) {
  return (
    <table className="w-full text-xs tabular-nums">
      <thead>
        <tr>
          {head.map((name, index) => (
            <th key={name} scope="col" className={cn("border-b border-line px-2 py-1 font-medium text-ink-3", index === 0 ? "text-left" : "text-right")}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={place} className="border-b border-line last:border-0">
            {row.map((cell, index) => (
              <td key={index} className={cn("px-2 py-1", index === 0 ? "text-left break-words" : "text-right whitespace-nowrap")}>
                {cell.link ? (
                  <Link {...cell.link} className="inline-block min-w-6 text-accent underline underline-offset-2">
                    {cell.text}
                  </Link>
                ) : (
                  cell.text
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What each colour stands for, in words. */
export function Legend({ of }: { of: readonly (readonly [name: string, colour: string])[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
      {of.map(([name, colour]) => (
        <li key={name} className="inline-flex items-center gap-1.5">
          <span aria-hidden className={cn("size-2.5 rounded-sm", colour)} />
          {name}
        </li>
      ))}
    </ul>
  );
}
