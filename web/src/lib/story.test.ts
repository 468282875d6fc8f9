import { describe, expect, it } from "vitest";
import { EMPTY, told, type Delta, type Story } from "@/lib/story";
import type { Entry } from "@/lib/events";

function entry(seq: number, type: Entry["type"], data: Record<string, unknown> = {}, hold_id: string | null = null): Entry {
  return { seq, type, at: "2026-11-15T09:30:00Z", actor: null, hold_id, run_id: "r", case_id: null, kind: null, data } as Entry;
}

function delta(start: number, text: string, attempt = 1, kind = "answer"): Delta {
  return { type: "message.delta", data: { message_id: "m", attempt, start, text, kind } };
}

function story(...messages: (Entry | Delta)[]): Story {
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
    const whole = { message_id: "m", attempt: 1, content: "Good morning" };
    const done = story(delta(0, "Good "), entry(1, "message.completed", whole));
    expect(heard(done)).toEqual([]);
    expect(done.parts).toMatchObject([{ is: "message", content: "Good morning" }]);
    const anew = story(delta(0, "Good "), entry(1, "message.discarded", { message_id: "m", attempt: 1 }), delta(0, "Hello", 2));
    expect(heard(anew)).toEqual(["Hello"]);
  });

  it("ends with its run", () => {
    expect(heard(story(delta(0, "Good "), entry(1, "run.cancelled")))).toEqual([]);
  });
});

describe("events", () => {
  it("count once, however often they are told", () => {
    const step = entry(2, "run.step_completed", { node: "plan", step: 1 });
    expect(story(entry(1, "run.started"), step, step, entry(1, "run.started")).parts).toHaveLength(2);
  });

  it("join a tool's call with its return, and a call that runs again with itself", () => {
    const call = { name: "read", call_id: "c", args: { a: 1 } };
    const { parts } = story(entry(1, "run.tool_called", call), entry(2, "run.tool_called", call), entry(3, "run.tool_returned", { ...call, content: "fine" }));
    expect(parts).toMatchObject([{ is: "tool", name: "read", returned: true, failed: false, content: "fine" }]);
  });

  it("show a hold where it was asked, and once", () => {
    const { parts } = story(entry(1, "hold.opened", {}, "h"), entry(2, "run.paused"), entry(3, "hold.opened", {}, "h"), entry(4, "run.resumed"));
    expect(parts.map((part) => part.is)).toEqual(["hold", "mark"]);
  });
});
