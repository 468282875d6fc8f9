import { expect, test } from "vitest";
import { changes } from "@/lib/changes";

test("the same has no changes", () => {
  expect(changes({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([]);
});

test("a change is named by its path", () => {
  expect(changes({ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } })).toEqual([{ path: "a.c", was: 2, is: 3 }]);
});

test("what is new and what is gone are told apart", () => {
  expect(changes({ old: 1 }, { fresh: 2 })).toEqual([
    { path: "old", was: 1, is: undefined },
    { path: "fresh", was: undefined, is: 2 },
  ]);
});
