import { describe, expect, it } from "vitest";
import { EMPTY, told, type Delta, type Story } from "@/lib/story";
import type { StoryPart, Told } from "@/api/events.gen";

function entry(seq: number, is: StoryPart["is"], part: Record<string, unknown> = {}, hold_id: string | null = null): Told {
  const story = { is, words: is, ...part } as StoryPart;
  return { seq, type: "run.started", at: "2026-11-15T09:30:00Z", actor: null, hold_id, run_id: "r", case_id: null, kind: null, story };
}

function delta(start: number, text: string, attempt = 1, kind = "answer"): Delta {
  return { type: "message.delta", data: { message_id: "m", attempt, start, text, kind } };
}

function story(...messages: (Told | Delta)[]): Story {
  return messages.reduce(told, EMPTY);
}

const heard = (of: Story) => of.saying.map((one) => one.pieces.map((piece) => piece.text).join(""));

describe("text as it comes", () => {
  it("is put together piece by piece", () => {
    expect(heard(story(delta(0, "Good "), delta(5, "morn"), delta(9, "ing")))).toEqual(["Good morning"]);
  });

  it("is not doubled when a client that comes back gets it again from the start", () => {
    expect(heard(story(delta(0, "Good "), delta(5, "morn"), delta(0, "Good morni"), delta(10, "ng")))).toEqual(["Good morning"]);
  });

  it("counts characters as the server does, beyond the basic plane too", () => {
    expect(heard(story(delta(0, "👍👍 ok"), delta(2, " fine")))).toEqual(["👍👍 fine"]);
  });

  it("keeps reasoning apart from what is said", () => {
    const [saying] = story(delta(0, "hm", 1, "reasoning"), delta(2, "m", 1, "reasoning"), delta(3, "Yes", 1)).saying;
    expect(saying?.pieces).toEqual([
      { kind: "reasoning", text: "hmm" },
      { kind: "answer", text: "Yes" },
    ]);
  });

  it("gives way to the message once that is complete, and to another attempt once it is void", () => {
    const whole = { message_id: "m", attempt: 1, content: "Good morning", reasoning: null, tool_calls: [] };
    const done = story(delta(0, "Good "), entry(1, "message", whole));
    expect(heard(done)).toEqual([]);
    expect(done.parts).toMatchObject([{ is: "message", content: "Good morning" }]);
    const anew = story(delta(0, "Good "), entry(1, "retraction", { message_id: "m", attempt: 1 }), delta(0, "Hello", 2));
    expect(heard(anew)).toEqual(["Hello"]);
  });

  it("ends with its run", () => {
    expect(heard(story(delta(0, "Good "), entry(1, "end")))).toEqual([]);
  });
});

describe("parts", () => {
  it("count once, however often they are told", () => {
    const step = entry(2, "step", { node: "plan", step: 1 });
    expect(story(entry(1, "start"), step, step, entry(1, "start")).parts).toHaveLength(2);
  });

  it("join a tool's call with its return, and a call that runs again with itself", () => {
    const call = { name: "read", call_id: "c", args: { a: 1 } };
    const { parts } = story(entry(1, "call", call), entry(2, "call", call), entry(3, "return", { ...call, content: "fine", failed: false }));
    expect(parts).toMatchObject([{ is: "tool", name: "read", returned: true, failed: false, content: "fine" }]);
  });

  it("show a hold where it was asked, and once", () => {
    const { parts } = story(entry(1, "question", { cause: "opened" }, "h"), entry(2, "pause", { holds: [], braked: false }), entry(3, "question", { cause: "opened" }, "h"), entry(4, "resumption"));
    expect(parts.map((part) => part.is)).toEqual(["hold", "mark"]);
  });

  it("show what became of a file and a test with what belongs to them", () => {
    const { parts } = story(entry(1, "file", { path: "a.py", diff: "+x" }), entry(2, "test", { name: "t", outcome: "failed" }));
    expect(parts).toMatchObject([{ is: "file", diff: "+x" }, { is: "test", outcome: "failed" }]);
  });

  it("of a newer server are told by their words", () => {
    const { parts } = story(entry(1, "start"), entry(2, "weather" as StoryPart["is"], { words: "It rains" }));
    expect(parts.map((part) => (part.is === "mark" ? part.words : ""))).toEqual(["start", "It rains"]);
  });
});
