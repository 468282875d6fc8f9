import { describe, expect, it } from "vitest";
import { edgesFor, nodeOf, standing, traced } from "@/features/runs/trace";
import type { Part } from "@/lib/story";

let seq = 0;
const at = (second: number) => new Date(Date.UTC(2026, 10, 17, 12, 0, second)).toISOString();
const step = (number: number, node: string, second: number, update: unknown = {}, namespace = ""): Part =>
  ({ is: "step", seq: (seq += 1), at: at(second), words: "", step: number, node, namespace, update, truncated: false });
const mark = (of: "start" | "resumption", second: number): Part => ({ is: "mark", seq: (seq += 1), at: at(second), of, words: "" });
const hold = (second: number): Part => ({ is: "hold", seq: (seq += 1), at: at(second), holdId: "h" });

const DIAGRAM = `graph TD;
  __start__ --> plan;
  plan --> left;
  plan --> right;
  left --> ask;
  right --> ask;
  ask -.-> plan;
  ask -.-> __end__;`;

describe("a run's way", () => {
  const edges = edgesFor(DIAGRAM, []);

  it("times nodes from where the step before ended, side by side ones from the same moment", () => {
    const trace = traced([mark("start", 0), step(1, "plan", 3), step(2, "left", 5), step(2, "right", 9)], edges, {});
    const took = (node: string) => trace.visits.get(node)?.map((one) => one.took / 1000);
    expect(took("plan")).toEqual([3]);
    expect(took("left")).toEqual([2]);
    expect(took("right")).toEqual([6]);
    expect(trace.last).toEqual(["left", "right"]);
  });

  it("does not count waiting for people as work", () => {
    const trace = traced([mark("start", 0), step(1, "plan", 1), hold(2), mark("resumption", 42), step(2, "ask", 43)], edges, {});
    expect(trace.waited).toBe(40_000);
    expect(trace.visits.get("ask")?.[0]?.took).toBe(1_000);
  });

  it("counts how often each way was taken, loops too", () => {
    const trace = traced([mark("start", 0), step(1, "plan", 1), step(2, "left", 2), step(3, "ask", 3), step(4, "plan", 4)], edges, {});
    expect(Object.fromEntries(trace.ways)).toEqual({ "__start__ plan": 1, "plan left": 1, "left ask": 1, "ask plan": 1 });
    expect(trace.visits.get("plan")).toHaveLength(2);
  });

  it("knows the values before a step from the input and from earlier steps", () => {
    const trace = traced([mark("start", 0), step(1, "plan", 1, { copies: 2, plan: "x" }), step(2, "left", 2, { plan: "y" })], edges, { copies: 1 });
    expect(trace.visits.get("plan")?.[0]?.before).toEqual({ copies: 1 });
    expect(trace.visits.get("left")?.[0]?.before).toEqual({ plan: "x" });
  });

  it("says where the run is, where it waits, and where it failed", () => {
    const parts = [mark("start", 0), step(1, "plan", 1), step(2, "left", 2), step(2, "right", 3)];
    const trace = traced(parts, edges, {});
    expect(standing(trace, edges, { status: "paused", failedAt: null }).get("ask")).toBe("waits");
    expect(standing(trace, edges, { status: "running", failedAt: null }).get("ask")).toBe("here");
    expect(standing(trace, edges, { status: "failed", failedAt: "ask" }).get("ask")).toBe("failed");
    expect(standing(trace, edges, { status: "completed", failedAt: null }).get("__end__")).toBe("done");
    expect(standing(traced([], edges, {}), edges, { status: "running", failedAt: null }).get("plan")).toBe("here");
  });

  it("draws itself where the workflow has no picture, and counts inner steps for the node that holds them", () => {
    expect(edgesFor(null, [mark("start", 0), step(1, "a", 1), step(2, "b", 2)]).map((edge) => `${edge.from} ${edge.to}`)).toEqual(["__start__ a", "a b"]);
    const inner = step(1, "think", 1, {}, "agent:123") as Extract<Part, { is: "step" }>;
    expect(nodeOf(inner, new Set(["agent"]))).toBe("agent");
    expect(nodeOf(inner, new Set(["agent:think"]))).toBe("agent:think");
  });
});
