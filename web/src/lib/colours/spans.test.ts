import { createLowlight } from "lowlight";
import python from "highlight.js/lib/languages/python";
import { expect, test } from "vitest";
import { languageOf } from "@/lib/colours/languages";
import { flattened, pieces, unflattened } from "@/lib/colours/spans";

const reader = createLowlight({ python });
const CODE = 'def rate(x: int) -> str:\n    """Over\n    two lines."""\n    return f"{x} %"  # all';

function told(code: string): string[][] {
  const lines = unflattened(flattened(reader.highlight("python", code)));
  return code.split("\n").map((text, at) => (lines.get(at) ?? []).map((span) => `${span.mark} ${text.slice(span.from, span.to)}`));
}

test("each word has the kind that its language gives it, over the ends of lines", () => {
  const [first, second, third, last] = told(CODE);
  expect(first).toEqual(expect.arrayContaining(["keyword def", "name rate"]));
  expect(second).toEqual(['string     """Over'.replace("    ", "")]);
  expect(third).toEqual(['string     two lines."""']);
  expect(last).toEqual(expect.arrayContaining(["keyword return", "comment # all"]));
});

test("a line is cut at colours and at what differs, and nothing of it is lost", () => {
  const spans = [{ from: 0, to: 6, mark: "keyword" as const }, { from: 7, to: 11, mark: "number" as const }];
  const found = pieces("return 0.05 * x", spans, [9, 14]);
  expect(found.map((piece) => piece.text).join("")).toBe("return 0.05 * x");
  expect(found.filter((piece) => piece.differs).map((piece) => piece.text)).toEqual(["05", " * "]);
  expect(found.find((piece) => piece.text === "05")?.mark).toBe("number");
});

test("a span that is longer than its line cuts nothing off", () => {
  expect(pieces("ab", [{ from: 0, to: 9, mark: "string" }], [0, 0]).map((piece) => piece.text)).toEqual(["ab"]);
});

test.each([["src/a.test.tsx", "typescript"], ["Dockerfile", "dockerfile"], ["notes", null], ["x.unknown", null], ["constructor", null], [".gitignore", null]])("%s is in %s", (path, language) => {
  expect(languageOf(path)).toBe(language);
});
