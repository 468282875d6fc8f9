import { expect, test } from "vitest";
import { looksLikeMarkdown } from "@/lib/looks";
import { blocksOf, type Inline } from "@/lib/markdown";

const text = (of: Inline[]): string => of.map((one) => ("text" in one ? one.text : text(one.of))).join("");

test("headings, lists, code and tables are what they look like", () => {
  const blocks = blocksOf("# Plan\n\nFirst *this*, then `that`.\n\n- one\n  - inner\n- [x] two\n\n1. a\n2. b\n\n```py\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n---");
  expect(blocks.map((one) => one.is)).toEqual(["heading", "paragraph", "list", "list", "code", "table", "quote", "line"]);
  const [, , list] = blocks;
  expect(list?.is === "list" && list.items.map((item) => [item.done, item.of.map((one) => one.is)])).toEqual([
    [null, ["paragraph", "list"]],
    [true, ["paragraph"]],
  ]);
});

test("HTML is text", () => {
  const [block] = blocksOf("<img src=x onerror=alert(1)> and <script>alert(2)</script>");
  expect(block?.is === "paragraph" && block.of).toEqual([{ is: "text", text: "<img src=x onerror=alert(1)> and <script>alert(2)</script>" }]);
});

test.each(["[x](javascript:alert(1))", "[x](data:text/html,hi)", "[x](/api/holds)", "![x](http://evil.example/pixel.png)"])("%s leads and loads nothing by itself", (given) => {
  const [block] = blocksOf(given);
  const links = block?.is === "paragraph" ? block.of.filter((one) => one.is === "link") : [];
  expect(links.every((one) => /^https?:/.test(one.to))).toBe(true);
  expect(JSON.stringify(block)).not.toContain('"image"');
});

test("a link says where it leads", () => {
  const [block] = blocksOf("See [the report](https://ci.example/1?a=b) or https://ci.example/2.");
  expect(block?.is === "paragraph" && block.of.flatMap((one) => (one.is === "link" ? [[one.to, text(one.of)]] : []))).toEqual([
    ["https://ci.example/1?a=b", "the report"],
    ["https://ci.example/2", "https://ci.example/2"],
  ]);
});

test("signs that could turn the reading direction are replaced", () => {
  const [block] = blocksOf("safe \u202Eevil");
  expect(block?.is === "paragraph" && text(block.of)).toBe("safe \uFFFDevil");
});

test.each([">".repeat(5_000), "- ".repeat(5_000), "*".repeat(20_000), "[".repeat(20_000), `${"  ".repeat(300)}- x\n`.repeat(200), "_a".repeat(5_000)])("a text that nests without end is read soon (%#)", (given) => {
  expect(blocksOf(given).length).toBeGreaterThan(0);
});

test("plain words are left as they are", () => {
  expect(looksLikeMarkdown("Costs 3 * 4 * 5 and a_b_c")).toBe(false);
  expect(looksLikeMarkdown("## Why\nbecause")).toBe(true);
  expect(looksLikeMarkdown("run `make`")).toBe(true);
});
