import { expect, test } from "vitest";
import { ago, briefSpan, deadline, exact, listed, plain, share, span, value } from "@/lib/format";

const S = 1_000;
const MIN = 60 * S;
const H = 60 * MIN;

test.each([
  [0, "0 s"],
  [59 * S, "59 s"],
  [9 * MIN + 20 * S, "9 min 20 s"],
  [12 * MIN + 20 * S, "12 min"],
  [8 * H, "8 h"],
  [26 * H, "1 d 2 h"],
])("%d ms is %s", (ms, words) => {
  expect(span(ms)).toBe(words);
});

test("a narrow place gets one unit", () => {
  expect(briefSpan(9 * MIN + 20 * S)).toBe("9 min");
});

test("a deadline says what comes after it", () => {
  const at = "2026-11-15T10:12:00Z";
  const now = Date.parse("2026-11-15T10:00:00Z");
  expect(deadline({ expires_at: at, on_expiry: "reject" }, now)).toBe("expires in 12 min, then rejected");
  expect(deadline({ expires_at: at, on_expiry: "expire" }, now + H)).toBe("expiring now");
  expect(deadline({ expires_at: null, on_expiry: "expire" }, now)).toBeNull();
});

test("what has just happened is not counted in seconds", () => {
  const at = "2026-11-15T10:00:00Z";
  expect(ago(at, Date.parse(at) + 900)).toBe("just now");
  expect(ago(at, Date.parse(at) + 4 * S)).toBe("4 s ago");
});

test("an exact moment names its offset", () => {
  expect(exact("2026-11-15T10:00:00Z")).toMatch(/\(UTC[+−]\d\d:\d\d\)$/);
});

test("characters that hide or turn text are replaced, line breaks are not", () => {
  expect(plain("a\u202Eb\u0007c\nd")).toBe("a\uFFFDb\uFFFDc\nd");
});

test("a value is one line, cut where it is long", () => {
  expect(value(["a", "b"])).toBe("a, b");
  expect(value({ a: 1 })).toBe('{"a":1}');
  expect(value("x".repeat(100))).toHaveLength(60);
});

test("names in a row", () => {
  expect(listed([], "or")).toBe("");
  expect(listed(["a"], "or")).toBe("a");
  expect(listed(["a", "b", "c"], "or")).toBe("a, b or c");
});

test("joiners within an emoji or a Persian word are spelling; elsewhere they hide something", () => {
  expect(plain("👩‍👩‍👧 🏳️‍🌈 می‌خواهم")).toBe("👩‍👩‍👧 🏳️‍🌈 می‌خواهم");
  expect(plain("ad\u200Dmin \u{1F3F4}\u{E0067}")).toBe("ad\uFFFDmin \u{1F3F4}\uFFFD");
});

test("a share is neither none nor all where it is only nearly so", () => {
  expect([share(0, 0), share(0, 9), share(1, 300), share(1, 3), share(299, 300), share(9, 9)]).toEqual(["–", "0 %", "under 1 %", "33 %", "over 99 %", "100 %"]);
});
