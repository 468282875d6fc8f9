import { expect, test } from "vitest";
import { boundOf, changed, draftOf } from "@/features/hold/allowing/bounds";

test.each([{ exact: "EUR" }, { exact: { a: [1, null] } }, { one_of: ["EUR", 7, "a, b"] }, { prefix: "reports/" }, { range: { min: 0, max: 50.5 } }, { range: { min: null, max: 5 } }, { any: true }])(
  "a bound comes back from the form as it went in: %j",
  (bound) => expect(boundOf(draftOf(bound))).toEqual(bound),
);

test("what is no bound is none", () => {
  expect(boundOf({ kind: "exact", text: "EUR", min: "", max: "" })).toBeNull();
  expect(boundOf({ kind: "one_of", text: '"EUR", ', min: "", max: "" })).toBeNull();
  expect(boundOf({ kind: "range", text: "", min: "much", max: "" })).toBeNull();
});

test("another kind begins with the value of the call", () => {
  expect(boundOf(changed("exact", "EUR"))).toEqual({ exact: "EUR" });
  expect(boundOf(changed("one_of", 7))).toEqual({ one_of: [7] });
  expect(boundOf(changed("range", 40))).toEqual({ range: { min: 0, max: 40 } });
  expect(boundOf(changed("prefix", "A-7"))).toEqual({ prefix: "A-7" });
  expect(boundOf(changed("any", "x"))).toEqual({ any: true });
});
