import ts from "typescript";
import { expect, test } from "vitest";

const SOURCES = import.meta.glob<string>("./**/*.tsx", { query: "?raw", import: "default", eager: true });
const FOLDERS = [...new Set(Object.keys(SOURCES).map((file) => file.slice(2, file.lastIndexOf("/"))))];
// our name is the same in every language
const NAMES = ["Handrail"];
const SPOKEN = new Set(["aria-label", "title", "placeholder", "label", "every", "what", "alt", "note", "intro", "hint", "error"]);
const WORD = /\p{L}{2}/u;
const ALL = import.meta.glob<string>(["./**/*.{ts,tsx}", "!./**/*.test.*", "!./**/texts.ts", "!./**/*.gen.ts"], { query: "?raw", import: "default", eager: true });
// some words, and what ends a sentence
const SENTENCE = /\p{L}{2,}[,;:]? (\p{L}|\{).*[.!?…]$/u;

/** Texts that an expression may come to, whichever way its conditions fall. */
function outcomes(node: ts.Node | undefined): string[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map((one) => one.literal.text)];
  if (ts.isParenthesizedExpression(node) || ts.isJsxExpression(node)) return outcomes(node.expression);
  if (ts.isConditionalExpression(node)) return [...outcomes(node.whenTrue), ...outcomes(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...outcomes(node.left), ...outcomes(node.right)];
  return [];
}

/** Words that stand between tags, or in what is read: an attribute, or a field of a message. */
function wordsIn(text: string): string[] {
  const source = ts.createSourceFile("page.tsx", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  function visit(node: ts.Node): void {
    if (ts.isJsxText(node)) found.push(node.text.trim());
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) found.push(...outcomes(node));
    if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText())) found.push(...outcomes(node.initializer));
    if (ts.isPropertyAssignment(node) && SPOKEN.has(node.name.getText())) found.push(...outcomes(node.initializer));
    ts.forEachChild(node, visit);
  }
  visit(source);
  return found.filter((words) => WORD.test(words) && !NAMES.includes(words));
}

test.each(FOLDERS)("the words of %s are in its texts.ts, ready to be translated", (folder) => {
  const files = Object.entries(SOURCES).filter(([file]) => file.slice(2, file.lastIndexOf("/")) === folder && !file.endsWith(".test.tsx"));
  expect(files.flatMap(([file, text]) => wordsIn(text).map((words) => `${file}: ${words}`))).toEqual([]);
});

/** Texts and templates that are sentences, wherever they stand. */
function sentencesIn(text: string): string[] {
  // reading a file takes a thousand times as long
  if (!/[.!?…]["`]/.test(text)) return [];
  const source = ts.createSourceFile("any.tsx", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  function visit(node: ts.Node): void {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node)) found.push([node.head.text, ...node.templateSpans.map((one) => one.literal.text)].join("{}"));
    ts.forEachChild(node, visit);
  }
  visit(source);
  return found.filter((one) => SENTENCE.test(one));
}

test("no sentence stands outside of texts.ts, in whatever file", () => {
  expect(Object.entries(ALL).flatMap(([file, text]) => sentencesIn(text).map((one) => `${file}: ${one}`))).toEqual([]);
});
