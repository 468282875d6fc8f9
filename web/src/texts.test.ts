import ts from "typescript";
import { expect, test } from "vitest";

const SOURCES = import.meta.glob<string>("./features/**/*.tsx", { query: "?raw", import: "default", eager: true });

// whose words all stand in their texts.ts, ready to be translated; more are to follow, none goes back
const IN_ONE_PLACE = ["features/insights", "features/agents", "features/audit", "features/palette", "features/hindsight"];
const SPOKEN = new Set(["aria-label", "title", "placeholder", "label", "alt", "note", "intro", "hint"]);

/** Words that stand between tags, or in an attribute that is read. */
function wordsIn(text: string): string[] {
  const source = ts.createSourceFile("page.tsx", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  function visit(node: ts.Node): void {
    if (ts.isJsxText(node) && /\p{L}{2}/u.test(node.text)) found.push(node.text.trim());
    if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText()) && node.initializer && ts.isStringLiteral(node.initializer)) found.push(node.initializer.text);
    ts.forEachChild(node, visit);
  }
  visit(source);
  return found;
}

test.each(IN_ONE_PLACE)("the words of %s are in its texts.ts", (folder) => {
  const files = Object.entries(SOURCES).filter(([file]) => file.startsWith(`./${folder}/`) && !file.endsWith(".test.tsx"));
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap(([file, text]) => wordsIn(text).map((words) => `${file}: ${words}`))).toEqual([]);
});
