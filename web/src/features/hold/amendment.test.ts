import { expect, test } from "vitest";
import { actionOf, complaint, draftOf, isBroken, nameComplaint, NEW_FIELD } from "@/features/hold/amendment";

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

test("an argument that was added has its type, and one that was removed is gone", () => {
  const draft = draftOf(action);
  const kept = draft.args.filter((field) => field.name !== "replicas");
  const changed = { ...draft, args: [...kept, { ...NEW_FIELD, name: "canary", type: "flag" as const, text: "true" }] };
  expect(isBroken(changed)).toBe(false);
  const { args } = actionOf(changed, action);
  expect(args).toMatchObject({ canary: true, version: "2.14" });
  expect(args).not.toHaveProperty("replicas");
});

test("an added argument needs a name that no other has", () => {
  const draft = draftOf(action);
  const nameless = { ...NEW_FIELD };
  const double = { ...NEW_FIELD, name: "version" };
  expect(nameComplaint({ ...draft, args: [...draft.args, nameless] }, nameless)).toBe("Enter a name.");
  expect(nameComplaint({ ...draft, args: [...draft.args, double] }, double)).toBe("There is already an argument named version.");
  expect(isBroken({ ...draft, args: [...draft.args, double] })).toBe(true);
});
