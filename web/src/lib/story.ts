/** A run's events as the story that a person reads: each thing once, at its place, whatever is told twice. */
import { ENDS, type Entry } from "@/api/events.gen";

export interface Call {
  name: string;
  args: unknown;
  call_id: string | null;
}

interface At {
  /** The number of the event that put it here. */
  seq: number;
  at: string;
}

export type Part = At &
  (
    | { is: "message"; node: string | null; content: string; reasoning: string; calls: Call[] }
    | { is: "tool"; name: string; args: unknown; callId: string | null; returned: boolean; failed: boolean; content: unknown }
    | { is: "hold"; holdId: string }
    | { is: "step"; step: number | null; node: string; namespace: string; update: unknown; truncated: boolean }
    | { is: "effect"; name: string; state: "reserved" | "completed" | "unknown" }
    | { is: "mark"; type: string; actor: string | null; data: Record<string, unknown> }
  );

export interface Piece {
  kind: string;
  text: string;
}

/** A message that is still being said. `length` counts characters as the server does, not UTF-16 units. */
export interface Saying {
  id: string;
  attempt: number;
  pieces: Piece[];
  length: number;
}

export interface Story {
  /** The last event taken in: the cursor. */
  seq: number;
  parts: Part[];
  saying: Saying[];
}

export interface Delta {
  type: "message.delta";
  data: { message_id: string; attempt: number; start: number; text: string; kind: string };
}

export const EMPTY: Story = { seq: 0, parts: [], saying: [] };

export function told(story: Story, message: Entry | Delta): Story {
  if (isDelta(message)) return { ...story, saying: heard(story.saying, message.data) };
  if (message.seq <= story.seq) return story;
  return { seq: message.seq, parts: withEntry(story.parts, message), saying: stillSaying(story.saying, message) };
}

export function isDelta(message: { type: string }): message is Delta {
  return message.type === "message.delta";
}

/** Of an entry whose data is no longer kept, each field is missing. */
function withEntry(parts: Part[], entry: Entry): Part[] {
  const { seq, at, hold_id } = entry;
  const add = (part: Part) => [...parts, part];
  switch (entry.type) {
    case "message.completed": {
      const { node = null, content = "", reasoning = "", tool_calls: calls = [] } = entry.data;
      return add({ is: "message", seq, at, node, content, reasoning, calls: calls as unknown as Call[] });
    }
    case "run.tool_called": {
      const { name = "a tool", args, call_id: callId = null } = entry.data;
      const called = { name, args, callId };
      const again = parts.findIndex((part) => part.is === "tool" && isSameCall(part, called.callId));
      if (again >= 0) return parts;
      return add({ is: "tool", seq, at, ...called, returned: false, failed: false, content: null });
    }
    case "run.tool_returned": {
      const { failed = false, content } = entry.data;
      const index = parts.findLastIndex((part) => part.is === "tool" && !part.returned && returns(part, entry.data));
      const known = parts[index];
      if (known?.is !== "tool") return parts;
      return parts.with(index, { ...known, returned: true, failed, content });
    }
    case "run.step_completed": {
      const { step = null, node = "a step", namespace = "", update, truncated = false } = entry.data;
      return add({ is: "step", seq, at, step, node, namespace, update, truncated });
    }
    case "effect.reserved":
    case "effect.unknown":
      return add({ is: "effect", seq, at, name: entry.data.name ?? "", state: entry.type === "effect.unknown" ? "unknown" : "reserved" });
    case "effect.completed": {
      const { name } = entry.data;
      const index = parts.findLastIndex((part) => part.is === "effect" && part.name === name && part.state !== "completed");
      const known = parts[index];
      return known?.is === "effect" ? parts.with(index, { ...known, state: "completed" }) : parts;
    }
    case "hold.opened":
      if (!hold_id || parts.some((part) => part.is === "hold" && part.holdId === hold_id)) return parts;
      return add({ is: "hold", seq, at, holdId: hold_id });
    // what waits is told by its holds
    case "run.paused":
      return parts;
    default:
      if (!entry.type.startsWith("run.")) return parts;
      return add({ is: "mark", seq, at, type: entry.type, actor: entry.actor?.name ?? null, data: entry.data });
  }
}

/** A call that has no id is told apart by nothing: each time it is a new one. */
function isSameCall(part: { callId: string | null; returned: boolean }, callId: string | null): boolean {
  return callId !== null && part.callId === callId && !part.returned;
}

function returns(part: { name: string; callId: string | null }, said: { name?: string | null; call_id?: string | null }): boolean {
  const { name, call_id: callId = null } = said;
  return callId === null ? part.name === name : part.callId === callId;
}

function stillSaying(saying: Saying[], entry: Entry): Saying[] {
  if (entry.type in ENDS) return [];
  if (entry.type !== "message.completed" && entry.type !== "message.discarded") return saying;
  const { message_id: id, attempt } = entry.data;
  return saying.filter((one) => one.id !== id || one.attempt !== attempt);
}

/** The text up to where the piece begins, and the piece: a piece that is told again changes nothing. */
function heard(saying: Saying[], delta: Delta["data"]): Saying[] {
  const index = saying.findIndex((one) => one.id === delta.message_id && one.attempt === delta.attempt);
  const known = saying[index] ?? { id: delta.message_id, attempt: delta.attempt, pieces: [], length: 0 };
  const kept = delta.start < known.length ? cut(known.pieces, delta.start) : known.pieces;
  const next = { ...known, pieces: joined(kept, delta), length: delta.start + characters(delta.text) };
  return index < 0 ? [...saying, next] : saying.with(index, next);
}

function joined(pieces: Piece[], { kind, text: more }: Piece): Piece[] {
  const last = pieces.at(-1);
  return last?.kind === kind ? pieces.with(-1, { kind, text: last.text + more }) : [...pieces, { kind, text: more }];
}

function cut(pieces: Piece[], most: number): Piece[] {
  let left = most;
  return pieces.flatMap((piece) => {
    const all = Array.from(piece.text);
    const kept = all.slice(0, Math.max(0, left)).join("");
    left -= all.length;
    return kept ? [{ ...piece, text: kept }] : [];
  });
}

function characters(of: string): number {
  return Array.from(of).length;
}
