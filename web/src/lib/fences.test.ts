import { expect, test } from "vitest";
import { blocksOf } from "@/lib/fences";

test("a text is cut into what is said, diagrams and code", () => {
  const text = "It is so:\n\n```mermaid\nflowchart LR\n  a --> b\n```\nand\n```py\nx = 1\n```\n";
  expect(blocksOf(text)).toEqual([
    { is: "text", text: "It is so:" },
    { is: "diagram", text: "flowchart LR\n  a --> b" },
    { is: "text", text: "and" },
    { is: "code", text: "x = 1" },
  ]);
});

test("a block that is still being said is text, and a shorter fence within a longer one ends nothing", () => {
  expect(blocksOf("```mermaid\nflowchart LR")).toEqual([{ is: "text", text: "```mermaid\nflowchart LR" }]);
  expect(blocksOf("````md\n```mermaid\nx\n```\n````")).toEqual([{ is: "code", text: "```mermaid\nx\n```" }]);
});
