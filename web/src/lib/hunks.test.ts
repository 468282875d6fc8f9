import { expect, test } from "vitest";
import { filesOf, hunksOf } from "@/lib/hunks";
import { looksLikeDiff } from "@/lib/looks";

const DIFF = `diff --git a/money.py b/money.py
--- a/money.py
+++ b/money.py
@@ -1,3 +1,3 @@ def cents
 def cents(price):
-    return int(price)
+    return round(price)
 
@@ -9 +9,2 @@
 last
+-- not a header
\\ No newline at end of file
`;

test("each line has its number on both sides, and each hunk its id", () => {
  const [one, two] = hunksOf(DIFF, ["a1", "b2"]);
  expect(one?.id).toBe("a1");
  expect(one?.lines.map((line) => [line.kind, line.old, line.new])).toEqual([
    [" ", 1, 1],
    ["-", 2, null],
    ["+", null, 2],
    [" ", 3, 3],
  ]);
  expect(two?.lines.map((line) => line.kind + line.text)).toEqual([" last", "+-- not a header", "\\ No newline at end of file"]);
});

const MANY = `diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+one
diff --git a/old.py b/older.py
similarity index 100%
rename from old.py
rename to older.py
--- a/plain.txt\t2026-11-17
+++ b/plain.txt
@@ -1,2 +1 @@
 same
-gone
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
`;

test("each file has its name, what became of it, and how much changed", () => {
  const files = filesOf(MANY);
  expect(files.map(({ path, status, added, deleted }) => [path, status, added, deleted])).toEqual([
    ["new.py", "added", 1, 0],
    ["older.py", "renamed", 0, 0],
    ["plain.txt", "modified", 0, 1],
    ["logo.png", "modified", 0, 0],
  ]);
  expect(files[1]?.from).toBe("old.py");
  expect(files[3]?.notes).toEqual(["Binary files a/logo.png and b/logo.png differ"]);
});

test("a line of a hunk that looks like the header of a file hides nothing", () => {
  const [file, ...others] = filesOf("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n--- a/harmless\n+++ b/harmless\n@@ -1 +1 @@\n-rm -rf /\n");
  expect(others).toEqual([]);
  expect(file?.path).toBe("x");
  expect(file?.hunks[0]?.lines.map((line) => line.kind + line.text)).toEqual(["--- a/harmless", "+++ b/harmless", " @@ -1 +1 @@", "-rm -rf /"]);
});

test("what stands between hunks is kept, word for word", () => {
  const [file] = filesOf("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nand also drop the table\n@@ -9 +9 @@\n-c\n+d\n");
  expect(file?.notes).toEqual(["and also drop the table"]);
  expect(file?.hunks).toHaveLength(2);
});

test("prose with dashes is no diff", () => {
  expect(looksLikeDiff("--- a heading\nand text")).toBe(false);
  expect(looksLikeDiff(MANY)).toBe(true);
});
