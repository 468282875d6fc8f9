import { expect, test } from "vitest";
import { columnsOf, isPicture, reportOf } from "@/lib/shapes";

test("a list of things with the same plain fields is a table", () => {
  expect(columnsOf([{ id: 1, name: "a" }, { id: 2, name: "b", note: null }])).toEqual(["id", "name", "note"]);
});

test.each([
  [[{ id: 1 }]],
  [[{ id: 1, inner: { a: 1 } }, { id: 2 }]],
  [[{ a: 1 }, { b: 2 }, { c: 3 }]],
  [["a", "b"]],
  [[{ text: "x".repeat(300) }, { text: "y" }]],
])("%j is none", (list) => {
  expect(columnsOf(list)).toBeNull();
});

test("counts of tests are a report, and what else it says is kept", () => {
  const report = reportOf({ passed: 3, failed: 1, errors: 1, skipped: 2, seconds: 4.2, tests: [{ name: "a", outcome: "PASSED" }, { name: "b", status: "fail", message: "boom" }] });
  expect(report).toEqual({
    passed: 3,
    failed: 2,
    skipped: 2,
    tests: [
      { name: "a", outcome: "passed", message: null },
      { name: "b", outcome: "failed", message: "boom" },
    ],
    rest: { seconds: 4.2 },
  });
});

test("tests that say more than a row shows stay as they were given", () => {
  const tests = [{ name: "a", outcome: "passed", stdout: "deleted everything" }];
  expect(reportOf({ passed: 1, failed: 0, tests })).toMatchObject({ tests: [], rest: { tests } });
});

test.each([{ passed: "all", failed: 0 }, { passed: 3 }, { passed: -1, failed: 0 }, [1], null])("%j is no report", (value) => {
  expect(reportOf(value)).toBeNull();
});

test("a picture is one of the plain formats, in the text itself", () => {
  expect(isPicture("data:image/png;base64,iVBORw0KGgo=")).toBe(true);
  expect(isPicture("data:image/svg+xml;base64,PHN2Zz4=")).toBe(false);
  expect(isPicture("data:text/html;base64,PGI+")).toBe(false);
  expect(isPicture("https://evil.example/pixel.png")).toBe(false);
});
