/** Colours of the lines of a diff: they come a moment after the text, which never waits for them. */
import { useEffect, useReducer } from "react";
import type { Asked } from "@/lib/colours/colouring.worker";
import { languageOf } from "@/lib/colours/languages";
import { unflattened, type Span } from "@/lib/colours/spans";
import type { Hunk, Line } from "@/lib/hunks";

// a file without line breaks is not for reading
const LONGEST = 400_000;
// what came within this time is drawn at once
const TOGETHER_MS = 80;

let worker: Worker | null = null;
let last = 0;
const waiting = new Map<number, (flat: Uint32Array) => void>();

function asked(language: string, text: string): Promise<Uint32Array> {
  if (worker === null) {
    worker = new Worker(new URL("./colouring.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<{ id: number; flat: Uint32Array }>) => {
      waiting.get(data.id)?.(data.flat);
      waiting.delete(data.id);
    });
  }
  const question: Asked = { id: ++last, language, text };
  worker.postMessage(question);
  return new Promise((resolve) => waiting.set(question.id, resolve));
}

const known = new WeakMap<Line, Span[]>();
const reading = new WeakMap<Hunk, Promise<void>>();
const NONE: readonly Span[] = [];

export function coloursOf(line: Line): readonly Span[] {
  return known.get(line) ?? NONE;
}

/** One version of a hunk at a time: a comment over several lines is one only without the lines of the other version. */
async function colour(hunk: Hunk, language: string): Promise<void> {
  for (const kind of ["+", "-"] as const) {
    const lines = hunk.lines.filter((line) => line.kind === kind || line.kind === " ");
    const text = lines.map((line) => line.text).join("\n");
    if (text.length > LONGEST || !lines.some((line) => line.kind === kind || kind === "+")) continue;
    const spans = unflattened(await asked(language, text));
    for (const [index, line] of lines.entries()) if (line.kind === kind || kind === "+") known.set(line, spans.get(index) ?? []);
  }
}

export interface Coloured {
  path: string;
  hunks: readonly Hunk[];
}

/** Draws again when colours have come; `coloursOf` has them. */
export function useColours(files: readonly Coloured[]): void {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (typeof Worker === "undefined") return;
    const left = new AbortController();
    let timer = 0;
    // one after the other, from the top: of a diff that was left, no more is read
    void (async () => {
      for (const { path, hunks } of files) {
        const language = languageOf(path);
        if (language === null) continue;
        for (const hunk of hunks) {
          const begun = reading.get(hunk) ?? colour(hunk, language);
          reading.set(hunk, begun);
          await begun;
          if (left.signal.aborted) return;
          timer ||= window.setTimeout(() => {
            timer = 0;
            drawAgain();
          }, TOGETHER_MS);
        }
      }
    })();
    return () => {
      left.abort();
      window.clearTimeout(timer);
    };
  }, [files]);
}
