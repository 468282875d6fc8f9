import { describe, expect, it } from "vitest";
import { drawn, edgesOf } from "@/features/runs/diagram";

const AGENT = `---
config:
  flowchart:
    curve: linear
---
graph TD;
	__start__([<p>__start__</p>]):::first
	model(model)
	tools(tools)
	__end__([<p>__end__</p>]):::last
	__start__ --> model;
	model -. &nbsp;done&nbsp; .-> __end__;
	model -.-> tools;
	tools -.-> model;
	classDef default fill:#f2f0ff,line-height:1.2`;

describe("a workflow's diagram", () => {
  it("is read from its text", () => {
    expect(edgesOf(AGENT)).toEqual([
      { from: "__start__", to: "model", conditional: false },
      { from: "model", to: "__end__", conditional: true },
      { from: "model", to: "tools", conditional: true },
      { from: "tools", to: "model", conditional: true },
    ]);
    expect(edgesOf("a\\3ab --> c;")).toEqual([{ from: "a:b", to: "c", conditional: false }]);
  });

  it("goes down, whatever leads back", () => {
    const rows = Object.fromEntries(drawn(AGENT)?.boxes.map((box) => [box.id, box.y]) ?? []);
    expect(rows["__start__"]).toBeLessThan(rows["model"] ?? 0);
    expect(rows["model"]).toBeLessThan(rows["tools"] ?? 0);
    expect(drawn("nothing here")).toBeNull();
  });
});
