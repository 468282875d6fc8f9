/** A run's story as a person reads it: each thing once, at its place, whatever is told twice. */
import type { StoryPart, Told } from "@/api/events.gen";

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

type Kept<K extends StoryPart["is"]> = Extract<StoryPart, { is: K }>;

export type Part = At &
  (
    | { is: "message"; node: string | null; content: string; reasoning: string; calls: Call[] }
    | { is: "tool"; name: string; args: unknown; callId: string | null; returned: boolean; failed: boolean; content: unknown }
    | { is: "hold"; holdId: string }
    | Kept<"step">
    | Kept<"effect">
    | Kept<"file">
    | Kept<"test">
    | { is: "mark"; of: StoryPart["is"]; words: string }
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

export function told(story: Story, message: Told | Delta): Story {
  const saying = nowSaying(story.saying, message);
  if (isDelta(message)) return { ...story, saying };
  if (message.seq <= story.seq) return story;
  return { seq: message.seq, parts: withPart(story.parts, message), saying };
}

/** What is being said after this. */
export function nowSaying(saying: Saying[], message: Told | Delta): Saying[] {
  return isDelta(message) ? heard(saying, message.data) : stillSaying(saying, message.story);
}

export function isDelta(message: { type: string }): message is Delta {
  return message.type === "message.delta";
}

function withPart(parts: Part[], { seq, at, hold_id, story: part }: Told): Part[] {
  const add = (next: Part) => [...parts, next];
  switch (part.is) {
    case "message":
      return add({ ...part, seq, at, reasoning: part.reasoning ?? "", calls: part.tool_calls as unknown as Call[] });
    case "call": {
      const called = { name: part.name, args: part.args, callId: part.call_id };
      if (parts.some((known) => known.is === "tool" && isSameCall(known, called.callId))) return parts;
      return add({ is: "tool", seq, at, ...called, returned: false, failed: false, content: null });
    }
    case "return": {
      const index = parts.findLastIndex((known) => known.is === "tool" && !known.returned && returns(known, part));
      const known = parts[index];
      if (known?.is !== "tool") return parts;
      return parts.with(index, { ...known, returned: true, failed: part.failed, content: part.content });
    }
    case "effect": {
      const index = parts.findLastIndex((known) => known.is === "effect" && known.name === part.name && known.state !== "completed");
      const known = parts[index];
      if (part.state !== "completed") return add({ ...part, seq, at });
      return known?.is === "effect" ? parts.with(index, { ...known, state: "completed" }) : parts;
    }
    case "question":
      if (!hold_id || parts.some((known) => known.is === "hold" && known.holdId === hold_id)) return parts;
      return add({ is: "hold", seq, at, holdId: hold_id });
    case "step":
    case "file":
    case "test":
      return add({ ...part, seq, at });
    // what waits, and what became of it, is told by its hold
    case "decision":
    case "hold_note":
    case "retraction":
      return parts;
    case "pause":
      return part.braked ? add({ is: "mark", of: part.is, seq, at, words: part.words }) : parts;
    case "start":
    case "stage":
    case "progress":
    case "resumption":
    case "retry":
    case "end":
    case "note":
    case "gap":
      return add({ is: "mark", of: part.is, seq, at, words: part.words });
    // a newer server's: its words say enough
    default:
      return add({ is: "mark", of: "note", seq, at, words: (part as { words: string }).words });
  }
}

/** A call that has no id is told apart by nothing: each time it is a new one. */
function isSameCall(part: { callId: string | null; returned: boolean }, callId: string | null): boolean {
  return callId !== null && part.callId === callId && !part.returned;
}

function returns(part: { name: string; callId: string | null }, said: Kept<"return">): boolean {
  const { name, call_id: callId } = said;
  return callId === null ? part.name === name : part.callId === callId;
}

function stillSaying(saying: Saying[], part: StoryPart): Saying[] {
  if (part.is === "end") return [];
  if (part.is !== "message" && part.is !== "retraction") return saying;
  return saying.filter((one) => one.id !== part.message_id || one.attempt !== part.attempt);
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
