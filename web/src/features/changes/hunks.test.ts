import { expect, test } from "vitest";
import { hunksOf, isLeftOut, toggled } from "@/features/changes/hunks";

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

test("hunks are left out one by one, and all of them are the file", () => {
  const one = toggled([], "a.py", "h1", ["h1", "h2"]);
  expect(one).toEqual([{ path: "a.py", hunks: ["h1"] }]);
  const all = toggled(one, "a.py", "h2", ["h1", "h2"]);
  expect(all).toEqual([{ path: "a.py", hunks: [] }]);
  expect(isLeftOut(all, "a.py", "h1")).toBe(true);
  expect(toggled(all, "a.py", "h1", ["h1", "h2"])).toEqual([{ path: "a.py", hunks: ["h2"] }]);
  expect(toggled(all, "a.py", null, ["h1", "h2"])).toEqual([]);
});
