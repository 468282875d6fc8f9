/** A text with line numbers, marks where something is wrong, and completion. A plain text field: everything that a
 * browser can do with one works. */
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { completing, type Completion, type Vocabulary } from "@/features/policy/completing";
import { TEXTS } from "@/features/policy/texts";
import { cn } from "@/lib/cn";

export interface Problem {
  line: number;
  column: number;
  field: string;
  message: string;
}

interface Props {
  file: string;
  text: string;
  problems: Problem[];
  known: Vocabulary;
  onChange: (text: string) => void;
}

const LINE_PX = 20;

export function CodeEditor({ file, text, problems, known, onChange }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  /** Where the cursor belongs after a completion was taken. */
  const taken = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (taken.current === null) return;
    field.current?.setSelectionRange(taken.current, taken.current);
    taken.current = null;
  }, [text]);
  const [top, setTop] = useState(0);
  const [offered, setOffered] = useState<(Completion & { at: number; row: number; column: number }) | null>(null);
  const wrong = new Map(problems.map((one) => [one.line, one]));
  const rows = text.split("\n").length;

  function offer(next: string, cursor: number, always = false) {
    const found = completing(next, cursor, known, always);
    const before = next.slice(0, cursor).split("\n");
    setOffered(found && { ...found, at: 0, row: before.length, column: (before.at(-1) ?? "").length - (cursor - found.from) });
  }
  function take(option: string) {
    const shown = field.current;
    if (!offered || !shown) return;
    taken.current = offered.from + option.length;
    onChange(text.slice(0, offered.from) + option + text.slice(shown.selectionStart));
    setOffered(null);
  }
  function pressed(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      offer(text, event.currentTarget.selectionStart, true);
      return;
    }
    if (!offered) return;
    const turn = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (turn !== undefined) {
      event.preventDefault();
      setOffered({ ...offered, at: (offered.at + turn + offered.options.length) % offered.options.length });
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      take(offered.options[offered.at] ?? "");
    } else if (event.key === "Escape") {
      event.preventDefault();
      setOffered(null);
    }
  }
  function go(problem: Problem) {
    const start = text.split("\n").slice(0, problem.line - 1).join("\n").length + (problem.line > 1 ? 1 : 0) + problem.column - 1;
    field.current?.focus();
    field.current?.setSelectionRange(start, start);
    if (field.current) field.current.scrollTop = Math.max(0, (problem.line - 4) * LINE_PX);
  }

  return (
    <div className="space-y-2">
      <div className="relative flex h-112 overflow-hidden rounded-lg border border-line bg-surface font-mono text-xs" data-escape={offered ? "" : undefined}>
        <div aria-hidden className="w-12 shrink-0 overflow-hidden border-r border-line bg-sunken text-right text-ink-3 select-none">
          <div style={{ transform: `translateY(${8 - top}px)` }}>
            {Array.from({ length: rows }, (_, index) => (
              <div key={index} title={wrong.get(index + 1)?.message} className={cn("pr-2 leading-5", wrong.has(index + 1) && "bg-critical-soft font-semibold text-critical")}>
                {wrong.has(index + 1) ? "▲ " : ""}
                {index + 1}
              </div>
            ))}
          </div>
        </div>
        <div className="relative min-w-0 flex-1">
          {problems.map((one, index) => (
            <div key={index} aria-hidden className="pointer-events-none absolute inset-x-0 bg-critical-soft" style={{ top: 8 + (one.line - 1) * LINE_PX - top, height: LINE_PX }} />
          ))}
          <textarea
            ref={field}
            aria-label={TEXTS.editor(file)}
            aria-describedby={`${id}-hint`}
            aria-invalid={problems.length > 0}
            aria-autocomplete="list"
            aria-controls={offered ? `${id}-list` : undefined}
            aria-activedescendant={offered ? `${id}-${offered.at}` : undefined}
            className="absolute inset-0 size-full resize-none overflow-auto bg-transparent px-3 py-2 leading-5 whitespace-pre outline-none"
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            wrap="off"
            value={text}
            onChange={(event) => {
              onChange(event.target.value);
              offer(event.target.value, event.target.selectionStart);
            }}
            onKeyDown={pressed}
            onBlur={() => setOffered(null)}
            onScroll={(event) => {
              setTop(event.currentTarget.scrollTop);
              setOffered(null);
            }}
          />
          {offered ? (
            <ul
              id={`${id}-list`}
              role="listbox"
              aria-label={TEXTS.completions}
              className="absolute z-10 max-h-48 min-w-40 overflow-auto rounded-md border border-line bg-panel py-1 shadow-lg"
              style={{ top: 8 + offered.row * LINE_PX - top, left: `calc(0.75rem + ${offered.column}ch)` }}
            >
              {offered.options.map((option, index) => (
                <li
                  key={option}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === offered.at}
                  className={cn("cursor-pointer px-3 leading-6", index === offered.at && "bg-accent-soft text-accent")}
                  onMouseDown={(event) => {
                    event.preventDefault();
                    take(option);
                  }}
                >
                  {option}
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      </div>
      <p id={`${id}-hint`} className="text-xs text-ink-3">
        {TEXTS.hint}
      </p>
      {problems.length > 0 ? (
        <ul className="space-y-1">
          {problems.map((one, index) => (
            <li key={index}>
              <button type="button" className="cursor-pointer text-left text-critical underline underline-offset-2" onClick={() => go(one)}>
                {TEXTS.problem(one.line, one.column, one.field, one.message)}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
