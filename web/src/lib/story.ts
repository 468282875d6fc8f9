/** A run's events as the story that a person reads: each thing once, at its place, whatever is told twice. */
import type { Entry } from "@/lib/events";

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

const ENDS = new Set(["run.completed", "run.failed", "run.cancelled", "run.expired"]);

export function told(story: Story, message: Entry | Delta): Story {
  if (isDelta(message)) return { ...story, saying: heard(story.saying, message.data) };
  if (message.seq <= story.seq) return story;
  return { seq: message.seq, parts: withEntry(story.parts, message), saying: stillSaying(story.saying, message) };
}

export function isDelta(message: { type: string }): message is Delta {
  return message.type === "message.delta";
}

function withEntry(parts: Part[], { seq, at, type, hold_id, actor, data }: Entry): Part[] {
  const add = (part: Part) => [...parts, part];
  switch (type) {
    case "message.completed":
      return add({
        is: "message",
        seq,
        at,
        node: text(data["node"]),
        content: text(data["content"]) ?? "",
        reasoning: text(data["reasoning"]) ?? "",
        calls: (data["tool_calls"] as Call[] | undefined) ?? [],
      });
    case "run.tool_called": {
      const called = { name: text(data["name"]) ?? "a tool", args: data["args"], callId: text(data["call_id"]) };
      const again = parts.findIndex((part) => part.is === "tool" && isSameCall(part, called.callId));
      if (again >= 0) return parts;
      return add({ is: "tool", seq, at, ...called, returned: false, failed: false, content: null });
    }
    case "run.tool_returned": {
      const index = parts.findLastIndex((part) => part.is === "tool" && !part.returned && returns(part, data));
      const known = parts[index];
      if (known?.is !== "tool") return parts;
      return parts.with(index, { ...known, returned: true, failed: data["failed"] === true, content: data["content"] });
    }
    case "run.step_completed":
      return add({
        is: "step",
        seq,
        at,
        step: typeof data["step"] === "number" ? data["step"] : null,
        node: text(data["node"]) ?? "a step",
        namespace: text(data["namespace"]) ?? "",
        update: data["update"],
        truncated: data["truncated"] === true,
      });
    case "effect.reserved":
    case "effect.unknown":
      return add({ is: "effect", seq, at, name: text(data["name"]) ?? "", state: type === "effect.unknown" ? "unknown" : "reserved" });
    case "effect.completed": {
      const index = parts.findLastIndex((part) => part.is === "effect" && part.name === data["name"] && part.state !== "completed");
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
      return type.startsWith("run.") ? add({ is: "mark", seq, at, type, actor: actor?.name ?? null, data }) : parts;
  }
}

/** A call that has no id is told apart by nothing: each time it is a new one. */
function isSameCall(part: { callId: string | null; returned: boolean }, callId: string | null): boolean {
  return callId !== null && part.callId === callId && !part.returned;
}

function returns(part: { name: string; callId: string | null }, data: Record<string, unknown>): boolean {
  const callId = text(data["call_id"]);
  return callId === null ? part.name === data["name"] : part.callId === callId;
}

function stillSaying(saying: Saying[], entry: Entry): Saying[] {
  if (ENDS.has(entry.type)) return [];
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

function text(given: unknown): string | null {
  return typeof given === "string" ? given : null;
}
