/** A policy's test cases as they are written, and as the server takes them. */
import type { Schemas } from "@/lib/api";

export type PolicyCase = Schemas["PolicyCase"];
export type CaseOutcome = Schemas["CaseOutcome"];

export interface CaseDraft {
  name: string;
  action: string;
  target: string;
  args: string;
  level: PolicyCase["level"];
  asks: "" | "yes" | "no";
  /** What an agent would claim; kept as it is. */
  task: PolicyCase["task"];
}

export const EMPTY_CASE: CaseDraft = { name: "", action: "", target: "", args: "", level: "high", asks: "", task: null };

export function draftOf(one: PolicyCase): CaseDraft {
  const args = Object.keys(one.action.args).length === 0 ? "" : JSON.stringify(one.action.args);
  const asks = one.asks === null || one.asks === undefined ? "" : one.asks ? "yes" : "no";
  return { name: one.name, action: one.action.name, target: one.action.target ?? "", args, level: one.level, asks, task: one.task ?? null };
}

/** Nothing where its arguments are no object. */
export function asCase(draft: CaseDraft): PolicyCase | null {
  const args = objectIn(draft.args);
  if (args === null) return null;
  const action = { name: draft.action.trim(), args: args as never, target: draft.target.trim() || null };
  return { name: draft.name.trim() || draft.action.trim(), action, task: draft.task ?? null, level: draft.level, asks: draft.asks === "" ? null : draft.asks === "yes" };
}

export function objectIn(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** All of them, where each can be sent: a line that names no action is not one yet. */
export function sendable(drafts: readonly CaseDraft[]): PolicyCase[] | null {
  const cases = drafts.map(asCase);
  return cases.every((one) => one !== null && one.action.name !== "") ? (cases as PolicyCase[]) : null;
}
