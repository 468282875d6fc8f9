/** How far a change has come: what is done, what is being done, what waits for people, and how long each took. */
import type { Change, Stage } from "@/features/changes/model";
import { TEXTS } from "@/features/changes/texts";

const WORDS = TEXTS.rail;

export type State = "done" | "active" | "waits" | "failed" | "again" | "ahead";

export interface Stop {
  name: string;
  state: State;
  /** Milliseconds of work; of an active one up to now. */
  ms: number;
  /** How often it was begun. */
  times: number;
  /** People decide here. */
  gate: boolean;
}

const STOPS: { name: string; stages: Stage[]; gate?: "plan" | "publish" }[] = [
  { name: "Understand", stages: ["intent_extraction"] },
  { name: "Explore", stages: ["pkg_query"] },
  { name: "Plan", stages: ["planning", "impact_analysis"] },
  { name: WORDS.planApproval, stages: [], gate: "plan" },
  { name: "Edit", stages: ["editing"] },
  { name: "Test", stages: ["testing"] },
  { name: "Verify", stages: ["verification"] },
  { name: WORDS.resultApproval, stages: [], gate: "publish" },
  { name: "Publish", stages: ["pr_creation"] },
];
// a question about the code changes nothing
const ANSWERING = STOPS.slice(0, 2);

/** `asked` is the action that waits for people. */
export function railOf(change: Change, asked: string | null, now: number): Stop[] {
  const stops = isQuestion(change) ? ANSWERING : STOPS;
  const last = change.spans.at(-1);
  const at = stops.findIndex((stop) => stop.stages.some((stage) => stage === last?.stage));
  return stops.map((stop, index) => {
    const spans = change.spans.filter((span) => stop.stages.includes(span.stage));
    const ms = spans.reduce((sum, span) => sum + (span.ended ? Date.parse(span.ended) : Math.max(now, Date.parse(span.began))) - Date.parse(span.began), 0);
    const times = spans.filter((span) => span.stage === stop.stages[0]).length;
    return { name: stop.name, ms, times, gate: stop.gate !== undefined, state: stateOf() };

    function stateOf(): State {
      if (stop.gate) {
        if (asked === `change.${stop.gate}`) return "waits";
        return (stop.gate === "plan" ? change.plan : change.published) ? "done" : "ahead";
      }
      if (spans.some((span) => span.ended === null)) return "active";
      if (stop.name === "Publish") return change.published ? "done" : "ahead";
      if (spans.length === 0) return "ahead";
      if (index > at) return "again";
      return stop.name === "Verify" && change.rounds.at(-1)?.verification?.verdict === "failed" ? "failed" : "done";
    }
  });
}

export function isQuestion(change: Change): boolean {
  return change.intent !== null && change.intent["category"] !== "code_change";
}
