/** A run in words. */
import { line, span } from "@/lib/format";
import type { Run } from "@/lib/runs";
import { TEXTS } from "@/lib/texts";

const WORDS = TEXTS.runWording;

export interface Failure {
  code: string;
  message: string;
  node: string | null;
  traceback: string | null;
}

export function failure(error: unknown): Failure | null {
  if (typeof error !== "object" || error === null) return null;
  const found = error as Record<string, unknown>;
  const text = (name: string) => (typeof found[name] === "string" ? found[name] : null);
  const trace = found["traceback"];
  return {
    code: text("code") ?? "failed",
    message: line(text("message") ?? WORDS.itFailedWithoutAMessage),
    node: text("node"),
    traceback: Array.isArray(trace) ? trace.join("\n") : text("traceback"),
  };
}

/** How long it has been at work, or was; waiting for people does not count. */
export function worked(run: Pick<Run, "usage">): string {
  const { seconds } = run.usage;
  return seconds < 1 ? "under 1 s" : span(seconds * 1000);
}
