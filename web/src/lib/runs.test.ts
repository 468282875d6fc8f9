import { describe, expect, it } from "vitest";
import { placedRun, type Run, type RunPages } from "@/lib/runs";

const who = { id: "p", name: "Dev", kind: "person" as const };

function aRun(id: string, minute: number, fields: Partial<Run> = {}): Run {
  return {
    id,
    short_id: "R-77",
    workflow: "rollout",
    version: null,
    status: "running",
    mode: null,
    risk: null,
    started_by: who,
    agent: { ...who, kind: "agent" },
    error: null,
    budget: { steps: 50, seconds: 60, cost: null },
    usage: { steps: 0, seconds: 0, tokens_in: 0, tokens_out: 0, cost: 0 },
    created_at: `2026-11-15T09:${String(minute).padStart(2, "0")}:00Z`,
    started_at: null,
    ended_at: null,
    active_at: "2026-11-15T09:00:00Z",
    ...fields,
  };
}

function list(...pages: Run[][]): RunPages {
  return { pages: pages.map((runs, index) => ({ runs, next: index < pages.length - 1 ? "more" : null })), pageParams: [] };
}

const ids = (pages: RunPages) => pages.pages.map((page) => page.runs.map((run) => run.id));

describe("a list of runs", () => {
  const known = list([aRun("d", 40), aRun("c", 30)], [aRun("a", 10)]);

  it("takes in a new one at its place, newest first", () => {
    expect(ids(placedRun(known, aRun("e", 50), {}, null))).toEqual([["e", "d", "c"], ["a"]]);
    expect(ids(placedRun(known, aRun("b", 20), {}, null))).toEqual([["d", "c"], ["b", "a"]]);
    expect(ids(placedRun(list([]), aRun("a", 1), {}, null))).toEqual([["a"]]);
  });

  it("shows a known one as it is now, and no longer where it does not fit", () => {
    const changed = placedRun(known, aRun("c", 30, { status: "failed" }), {}, null);
    expect(changed.pages[0]?.runs[1]?.status).toBe("failed");
    expect(ids(placedRun(known, aRun("c", 30, { status: "failed" }), { status: "running" }, null))).toEqual([["d"], ["a"]]);
    expect(ids(placedRun(known, aRun("e", 50), { mine: true }, "somebody else"))).toEqual([["d", "c"], ["a"]]);
  });

  it("leaves one that is older than all that is loaded to its own page", () => {
    const more = { ...known, pages: known.pages.map((page) => ({ ...page, next: "more" })) };
    expect(ids(placedRun(more, aRun("0", 1), {}, null))).toEqual([["d", "c"], ["a"]]);
  });
});
