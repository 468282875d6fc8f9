import { expect, test } from "vitest";
import { actionOf, complaint, draftOf } from "@/features/hold/amendment";

const action = { name: "deploy", target: "api", args: { version: "2.14", replicas: 3, dry: false, tags: ["a"], none: null } };

test("an action that nobody changed comes back as it was, with every type", () => {
  expect(actionOf(draftOf(action), action)).toEqual(action);
});

test("a number stays a number and a text that looks like one stays text", () => {
  const draft = draftOf(action);
  const changed = { ...draft, args: draft.args.map((f) => (f.name === "replicas" ? { ...f, text: "5" } : f)) };
  expect(actionOf(changed, action).args).toMatchObject({ replicas: 5, version: "2.14" });
});

test.each([
  ["number", "", "This must be a number."],
  ["number", "3x", "This must be a number."],
  ["json", "{", "This must be JSON."],
  ["json", "[1]", null],
  ["text", "", null],
] as const)("%s %j: %s", (type, text, expected) => {
  expect(complaint({ name: "x", type, text })).toBe(expected);
});
