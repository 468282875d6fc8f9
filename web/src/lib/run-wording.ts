/** A run in words. */
import { line, span, words } from "@/lib/format";
import type { Run } from "@/lib/runs";
import type { Part } from "@/lib/story";

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
    message: line(text("message") ?? "It failed without a message."),
    node: text("node"),
    traceback: Array.isArray(trace) ? trace.join("\n") : text("traceback"),
  };
}

/** How long it has been at work, or was; waiting for people does not count. */
export function worked(run: Pick<Run, "usage">): string {
  const { seconds } = run.usage;
  return seconds < 1 ? "under 1 s" : span(seconds * 1000);
}

/** What happened to the run as a whole, in one line. */
export function markText({ type, actor, data }: Extract<Part, { is: "mark" }>): string {
  const who = actor ? line(actor) : "nobody";
  const because = typeof data["reason"] === "string" && data["reason"] ? `: ${line(data["reason"])}` : "";
  if (type === "run.progressed") return progressText(data);
  const said: Record<string, string> = {
    "run.started": `Started by ${who}`,
    "run.resumed": "Resumed",
    "run.completed": "Completed",
    "run.failed": "Failed",
    "run.retried": `Retried by ${who}, from its last good step`,
    "run.cancelled": data["hold_id"] ? `Ended by a rejection${because}` : `Cancelled by ${who}${because}`,
    "run.expired": `Expired${because}`,
    "run.graph_changed": "The workflow has changed since this run started",
  };
  return said[type] ?? words(type.replace("run.", ""));
}

function progressText({ message, done, total }: Record<string, unknown>): string {
  const place = typeof done === "number" && done > 0 ? `${done} of ${String(total)}: ` : "";
  return `${place}${line(typeof message === "string" ? message : "")}`;
}
