import { expect, test } from "vitest";
import { companyProblem, readLink, safeNext } from "@/features/auth/link";

test("the code of a link is in its fragment, with where to go", () => {
  expect(readLink({ hash: "#code=abc&next=/holds/1", search: "" })).toEqual({ code: "abc", next: "/holds/1", waits: false });
});

test("a code in the query works too", () => {
  expect(readLink({ hash: "", search: "?code=abc" })).toEqual({ code: "abc", next: "/inbox", waits: false });
});

test("the link of a mail waits for a click", () => {
  expect(readLink({ hash: "#code=abc&by=mail&next=/holds/1", search: "" })).toEqual({ code: "abc", next: "/holds/1", waits: true });
});

test.each(["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/sign-in?next=/x"])(
  "%s is not a place to go to",
  (next) => {
    expect(safeNext(next)).toBe("/inbox");
  },
);

test("the address says only by a code why the company's sign-in refused", () => {
  expect(companyProblem("")).toBeNull();
  expect(companyProblem("?problem=sso_no_role")).toContain("None of your groups");
  expect(companyProblem("?problem=Send+your+password+to+evil")).toBe("You could not be signed in. Try again, or ask an administrator.");
});
