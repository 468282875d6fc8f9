import { expect, test } from "vitest";
import { changed, rowsOf, type DiffRow } from "@/components/diff/rows";
import { filesOf } from "@/lib/hunks";

const FILES = filesOf("--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n same\n-one\n-two\n+eins\n+zwei\n+drei\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-old\n+new\n");

function told(row: DiffRow): string {
  switch (row.is) {
    case "file":
      return `${row.file.path}${row.folded ? " folded" : ""}`;
    case "hunk":
      return "@@";
    case "note":
      return row.text;
    case "line":
      return row.line.kind + row.line.text;
    case "pair":
      return `${row.left?.text ?? ""}|${row.right?.text ?? ""}`;
  }
}

test("unified, what went stands above what came", () => {
  expect(rowsOf(FILES, "unified", new Set()).map(told)).toEqual(["x", "@@", " same", "-one", "-two", "+eins", "+zwei", "+drei", "y", "@@", "-old", "+new"]);
});

test("side by side, what went stands beside what came", () => {
  expect(rowsOf(FILES, "split", new Set(["y"])).map(told)).toEqual(["x", "@@", "same|same", "one|eins", "two|zwei", "|drei", "y folded"]);
});

test("the part that differs is marked, unless everything does", () => {
  expect(changed("return 0.07", "return 0.05")).toEqual(["return 0.0", "7", ""]);
  expect(changed("aaa", "aaaa")).toEqual(["aaa", "", ""]);
  expect(changed("abc", "xyz")).toEqual(["abc", "", ""]);
  expect(changed("a 😀 b", "a 😁 b")).toEqual(["a ", "😀", " b"]);
  expect(changed("abc", null)).toEqual(["abc", "", ""]);
});

test("20,000 lines become rows at once", () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `+line ${at}`).join("\n");
  expect(rowsOf(filesOf(`--- /dev/null\n+++ b/big\n@@ -0,0 +1,20000 @@\n${lines}\n`), "unified", new Set())).toHaveLength(20_002);
});
