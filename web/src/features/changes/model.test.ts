import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folded, NOTHING, type Change } from "@/features/changes/model";
import type { Detailed } from "@/lib/run-stream";

/** `handrail demo change`, as the run's socket told it: a plan, a wrong fix, a repair, a branch. */
const DEMO = JSON.parse(readFileSync(new URL("recorded/demo-change.json", import.meta.url), "utf8")) as Detailed[];

function until(type: string, times = 1): Change {
  const at = DEMO.flatMap((event, index) => (event.type === type ? [index] : []))[times - 1] ?? -1;
  return folded(NOTHING, DEMO.slice(0, at + 1));
}

test("the whole demo: planned, edited, tested twice, verified and published", () => {
  const change = folded(NOTHING, DEMO);
  expect(change.plan?.tasks.map((task) => task.task)).toEqual(["Round instead of cutting off", "Prove it with a test that fails today"]);
  expect(change.files?.map((file) => [file.path, file.added, file.deleted, file.hunks.length])).toEqual([
    ["shop/money.py", 1, 1, 1],
    ["tests/test_rounding.py", 18, 0, 1],
  ]);
  expect(change.rounds.map((round) => round.tests.map((test) => test.outcome))).toEqual([
    ["errored", "passed", "errored", "failed"],
    ["passed", "passed", "passed", "passed"],
  ]);
  expect(change.rounds.map((round) => round.verification?.verdict)).toEqual(["failed", "unsure"]);
  expect(change.published?.branch).toMatch(/^handrail\//);
  expect(change.talk.at(-1)).toMatchObject({ is: "end", bad: false });
  expect(change.holds).toHaveLength(2);
});

test("however the events are cut into batches, and whatever comes twice, the change is the same", () => {
  const whole = folded(NOTHING, DEMO);
  const singly = DEMO.reduce((change, event) => folded(change, [event]), NOTHING);
  expect(singly).toEqual(whole);
  const again = folded(folded(NOTHING, DEMO.slice(0, 60)), DEMO.slice(20));
  expect(again).toEqual(whole);
});

test("stages have their times, the second try is one of its own, and waiting for people counts for none", () => {
  const { spans } = folded(NOTHING, DEMO);
  expect(spans.map((span) => [span.stage, span.attempt])).toEqual([
    ["intent_extraction", 0],
    ["pkg_query", 0],
    ["planning", 0],
    ["impact_analysis", 0],
    ["editing", 0],
    ["testing", 0],
    ["verification", 0],
    ["editing", 1],
    ["testing", 1],
    ["verification", 0],
    ["pr_creation", 0],
    ["pr_creation", 0],
  ]);
  expect(spans.every((span) => span.ended !== null)).toBe(true);
  const paused = until("run.paused");
  expect([paused.waits, paused.spans.at(-1)?.ended !== null, paused.plan]).toEqual([true, true, null]);
});

test("a test that ran again is one row, which says how often and how it ended on the base", () => {
  const change = until("change.verified");
  const [first] = change.rounds;
  expect(first?.tests.map((row) => row.times)).toEqual([4, 1, 4, 4]);
  expect(first?.tests.some((row) => row.flaky)).toBe(false);
  expect(change.base["unittest tests.test_cart.CartTest.test_a_cart_adds_up"]).toBe("passed");
  expect(first?.ran).toHaveLength(1);
  expect(first?.ran[0]?.output).toContain("test_a_cart_adds_up");
});

test("an edit is shown as it comes, until the whole difference is known", () => {
  expect(until("change.edited", 2).edits.map((edit) => edit.path)).toEqual(["tests/test_rounding.py", "shop/money.py"]);
  const diffed = until("change.diffed");
  expect([diffed.edits, diffed.files?.length]).toEqual([[], 2]);
  // the repair
  expect(until("change.edited", 3).edits).toHaveLength(1);
});

test("of an event whose data the log no longer keeps, its words are left", () => {
  const event = DEMO.find((one) => one.type === "change.verified") as Detailed;
  const { data: _, ...bare } = event;
  const change = folded(NOTHING, [{ ...bare, seq: 1 }]);
  expect(change.talk).toMatchObject([{ is: "note", words: event.story.words }]);
});
