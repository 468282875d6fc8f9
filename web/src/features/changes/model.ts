/** A code change as its page shows it: folded from the run's events, the same way for what was and for what comes. */
import type { EventData } from "@/api/events.gen";
import type { Plan } from "@/lib/change-holds";
import type { Detailed } from "@/lib/run-stream";
import { isDelta, nowSaying, type Call, type Delta, type Saying } from "@/lib/story";
import { TEXTS } from "@/features/changes/texts";

const WORDS = TEXTS.model;

export const STAGES = ["intent_extraction", "pkg_query", "planning", "impact_analysis", "editing", "testing", "verification", "pr_creation"] as const;
export type Stage = (typeof STAGES)[number];

/** A time that a stage was worked on. */
export interface Span {
  stage: Stage;
  attempt: number;
  began: string;
  ended: string | null;
}

export interface Impact {
  facts: Record<string, number>;
  files: string[];
  callers: { id: string; depth: number }[];
  endpoints: string[];
  tests: { id: string; depth: number }[];
  migrations: { path: string; framework: string }[];
  owners: Record<string, string[]>;
  risk: { name: string; points: number; most: number; words: string }[];
  diagram: string;
  unread: string[];
}

export interface FileDiff {
  path: string;
  old_path: string;
  status: string;
  binary: boolean;
  added: number;
  deleted: number;
  diff: string;
  /** Ids of its hunks, in their order. */
  hunks: string[];
  too_long?: boolean;
}

export interface Edit {
  seq: number;
  at: string;
  path: string;
  diff: string;
  truncated: boolean;
}

export interface TestRow {
  tool: string;
  name: string;
  outcome: string;
  seconds: number | null;
  message: string;
  /** How often it ran, and whether it ended differently. */
  times: number;
  flaky: boolean;
}

export interface Ran {
  tool: string;
  fault: string;
  summary: Record<string, unknown>;
  output: string;
}

/** One time that the change was tested and verified. */
export interface Round {
  attempt: number;
  began: string;
  tests: TestRow[];
  /** Runners, linters and type checkers that ended, on the change itself. */
  ran: Ran[];
  verification: Verification | null;
}

export interface Finding {
  rule: string;
  path: string;
  line: number;
  what: string;
  why: string;
  verdict: string;
}

export interface Check {
  name: string;
  verdict: "passed" | "failed" | "unsure" | "not_applicable";
  words: string;
  count: number;
  findings: Finding[];
  is_gate: boolean;
}

export interface Verification {
  verdict: string;
  words: string;
  checks: Check[];
}

/** An entry of the conversation. */
export type Talk = { seq: number; at: string } & (
  | { is: "said"; content: string; reasoning: string; calls: Call[] }
  | { is: "hold"; holdId: string }
  | { is: "stage"; stage: Stage; attempt: number }
  | { is: "note"; words: string; bad: boolean }
  | { is: "end"; words: string; bad: boolean }
);

export interface Change {
  /** The last event taken in: the cursor. */
  seq: number;
  spans: Span[];
  /** Whether it waits for people. */
  waits: boolean;
  intent: Record<string, unknown> | null;
  impact: Impact | null;
  /** As people approved it. */
  plan: Plan | null;
  edits: Edit[];
  /** All that differs from the base, as of the last time it was tested. */
  files: FileDiff[] | null;
  rounds: Round[];
  /** How each test ended on the base, the first time. */
  base: Record<string, string>;
  committed: EventData["change.committed"] | null;
  published: EventData["change.published"] | null;
  answer: string | null;
  holds: string[];
  talk: Talk[];
  saying: Saying[];
}

export const NOTHING: Change = {
  seq: 0,
  spans: [],
  waits: false,
  intent: null,
  impact: null,
  plan: null,
  edits: [],
  files: null,
  rounds: [],
  base: {},
  committed: null,
  published: null,
  answer: null,
  holds: [],
  talk: [],
  saying: [],
};

/** The change after a batch. What was told before changes nothing. */
export function folded(change: Change, batch: (Detailed | Delta)[]): Change {
  let next = change;
  for (let at = 0; at < batch.length; at += 1) {
    const message = batch[at] as Detailed | Delta;
    if (isDelta(message)) {
      next = { ...next, saying: nowSaying(next.saying, message) };
      continue;
    }
    if (message.seq <= next.seq) continue;
    // tests come by thousands: those that come together are taken in together
    if (message.type === "change.tested") {
      const tests = [message];
      for (let more = batch[at + 1]; more?.type === "change.tested"; more = batch[at + 1]) {
        tests.push(more);
        at += 1;
      }
      next = { ...withTests(next, tests), seq: tests.at(-1)?.seq ?? next.seq };
    } else {
      next = { ...after(next, message), seq: message.seq, saying: nowSaying(next.saying, message) };
    }
  }
  return next;
}

type Data<T extends keyof EventData> = EventData[T];

function after(change: Change, message: Detailed): Change {
  const { type, seq, at } = message;
  const note = (words: string, bad = false): Change => talked(change, { is: "note", seq, at, words, bad });
  // of what the log no longer keeps the data of, only the words are left
  if (type.startsWith("change.") && message.data === undefined) return note(message.story.words);
  switch (type) {
    case "change.stage_began":
      return begun(change, message.data as Data<"change.stage_began">, seq, at);
    case "change.understood":
      return { ...note(message.story.words), intent: (message.data as Data<"change.understood">).intent };
    case "change.weighed":
      return { ...change, impact: (message.data as Data<"change.weighed">).impact as unknown as Impact };
    case "change.planned":
      return { ...change, plan: (message.data as Data<"change.planned">).plan as unknown as Plan };
    case "change.edited": {
      const { path, diff, truncated = false } = message.data as Data<"change.edited">;
      return { ...change, edits: [...change.edits, { seq, at, path, diff, truncated }] };
    }
    case "change.diffed":
      return { ...change, files: (message.data as Data<"change.diffed">).files as unknown as FileDiff[], edits: [] };
    case "change.checked":
      return withRun(change, message.data as Data<"change.checked">);
    case "change.verified":
      return verified(change, message.data as Data<"change.verified">, seq, at);
    case "change.committed":
      return { ...change, committed: message.data as Data<"change.committed"> };
    case "change.published":
      return { ...note(message.story.words), published: message.data as Data<"change.published"> };
    case "change.answered":
      return { ...change, answer: (message.data as Data<"change.answered">).content };
    case "change.refused":
      return note(message.story.words, true);
    case "change.mapped":
    case "change.prepared":
    case "change.rebased":
      return note(message.story.words);
    default:
      return told(change, message);
  }
}

/** What happens in every run. */
function told(change: Change, { seq, at, hold_id, story: part }: Detailed): Change {
  switch (part.is) {
    case "message": {
      const calls = part.tool_calls as unknown as Call[];
      return talked(change, { is: "said", seq, at, content: part.content, reasoning: part.reasoning ?? "", calls });
    }
    case "question":
      if (!hold_id || change.holds.includes(hold_id)) return change;
      return { ...talked(change, { is: "hold", seq, at, holdId: hold_id }), holds: [...change.holds, hold_id] };
    case "pause":
      return { ...closed(change, at), waits: true };
    case "resumption":
      return { ...resumed(change, at), waits: false };
    case "retry":
      return talked(change, { is: "note", seq, at, words: part.words, bad: false });
    case "end":
      return { ...talked(closed(change, at), { is: "end", seq, at, words: part.words, bad: part.status !== "completed" }), waits: false };
    default:
      return change;
  }
}

function talked(change: Change, more: Talk): Change {
  return { ...change, talk: [...change.talk, more] };
}

function begun(change: Change, data: Data<"change.stage_began">, seq: number, at: string): Change {
  const stage = data.stage as Stage;
  const attempt = data.attempt ?? 0;
  const spans = [...closed(change, at).spans, { stage, attempt, began: at, ended: null }];
  const next = talked({ ...change, spans }, { is: "stage", seq, at, stage, attempt });
  if (stage !== "testing") return next;
  return { ...next, rounds: [...next.rounds, { attempt, began: at, tests: [], ran: [], verification: null }] };
}

function closed(change: Change, at: string): Change {
  const last = change.spans.at(-1);
  return last && last.ended === null ? { ...change, spans: change.spans.with(-1, { ...last, ended: at }) } : change;
}

/** A question in the middle of these is followed by more of the same; after others the next stage says that it begins. */
const CONTINUED: readonly Stage[] = ["editing", "pr_creation"];

function resumed(change: Change, at: string): Change {
  const last = change.spans.at(-1);
  if (!last || !CONTINUED.includes(last.stage)) return change;
  return { ...change, spans: [...change.spans, { ...last, began: at, ended: null }] };
}

function stageOf(change: Change): Stage | undefined {
  return change.spans.at(-1)?.stage;
}

export function isBroken(test: { outcome: string }): boolean {
  return test.outcome !== "passed" && test.outcome !== "skipped";
}

export function keyOf(test: { tool: string; name: string }): string {
  return `${test.tool} ${test.name}`;
}

function withTests(change: Change, told: Detailed[]): Change {
  const round = change.rounds.at(-1);
  // what verifying runs again, other trees made for it, is told by its checks
  if (!round || stageOf(change) !== "testing") return change;
  const base = { ...change.base };
  const rows = new Map(round.tests.map((row) => [keyOf(row), row]));
  for (const { data } of told) {
    if (data === undefined) continue;
    const { tree, tool, test: name, outcome, seconds, message = "" } = data as Data<"change.tested">;
    const key = keyOf({ tool, name });
    if (tree === "base") {
      base[key] ??= outcome;
      continue;
    }
    const known = rows.get(key);
    rows.set(key, {
      tool,
      name,
      outcome,
      seconds,
      message: message || (known?.message ?? ""),
      times: (known?.times ?? 0) + 1,
      flaky: known !== undefined && (known.flaky || known.outcome !== outcome),
    });
  }
  return { ...change, base, rounds: change.rounds.with(-1, { ...round, tests: [...rows.values()] }) };
}

function withRun(change: Change, { tree, tool, summary, output = "" }: Data<"change.checked">): Change {
  const round = change.rounds.at(-1);
  if (!round || tree !== "head" || stageOf(change) !== "testing") return change;
  const fault = typeof summary["fault"] === "string" ? summary["fault"] : "";
  const at = round.ran.findIndex((one) => one.tool === tool);
  // the first time is the whole suite; later ones repeat what broke
  if (at >= 0) return change;
  return { ...change, rounds: change.rounds.with(-1, { ...round, ran: [...round.ran, { tool, fault, summary, output }] }) };
}

function verified(change: Change, data: Data<"change.verified">, seq: number, at: string): Change {
  const verification = data.verification as unknown as Verification;
  const round = change.rounds.at(-1);
  const words = WORDS.verified(verification.words);
  const next = talked(change, { is: "note", seq, at, words, bad: verification.verdict === "failed" });
  return round ? { ...next, rounds: next.rounds.with(-1, { ...round, verification }) } : next;
}
