import { expect, test } from "vitest";
import { unified } from "@/features/policy/differing";

/** What a diff makes of the text before. */
function patched(before: string, diff: string): string {
  const lines = before.split("\n");
  const out: string[] = [];
  let at = 0;
  for (const line of diff.split("\n").slice(2)) {
    const hunk = /^@@ -(\d+),/.exec(line);
    if (hunk) {
      while (at < Number(hunk[1]) - 1) out.push(lines[at++] ?? "");
    } else if (line.startsWith("+")) out.push(line.slice(1));
    else {
      expect(line.slice(1)).toBe(lines[at]);
      if (line.startsWith(" ")) out.push(lines[at] ?? "");
      at += 1;
    }
  }
  return [...out, ...lines.slice(at)].join("\n");
}

test("a changed line is shown with its neighbours and nothing else", () => {
  const before = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
  const diff = unified("a.yaml", before, before.replace("line 12", "line twelve"));
  expect(diff.split("\n")).toEqual(["--- a.yaml", "+++ a.yaml", "@@ -10,7 +10,7 @@", " line 9", " line 10", " line 11", "-line 12", "+line twelve", " line 13", " line 14", " line 15"]);
});

test("what is the same has no diff", () => {
  expect(unified("a", "x\ny", "x\ny")).toBe("");
});

test("whatever changes, the diff leads from one text to the other", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  for (let round = 0; round < 200; round += 1) {
    const before = Array.from({ length: random(25) }, () => `l${random(6)}`);
    const after = before.flatMap((line) => (random(4) === 0 ? [] : random(4) === 0 ? [line, `n${random(6)}`] : [line]));
    const [was, is] = [before.join("\n"), after.join("\n")];
    if (was !== is) expect(patched(was, unified("a", was, is))).toBe(is);
  }
});
