// @vitest-environment jsdom
import { afterEach, expect, test } from "vitest";
import { exact } from "@/lib/format";
import { choose, language, offset, zone, zones } from "@/lib/locale";

const AT = "2026-07-01T12:00:00Z";

afterEach(() => {
  choose("zone", "");
  choose("language", "");
});

test("a moment is shown in the zone and the language that the person chose, with its offset", () => {
  choose("zone", "Asia/Kolkata");
  choose("language", "de-DE");
  expect(exact(AT)).toBe("01.07.2026, 17:30:00 (UTC+05:30)");
  choose("zone", "America/New_York");
  choose("language", "en-GB");
  expect(exact(AT)).toBe("1 Jul 2026, 08:00:00 (UTC−04:00)");
});

test("UTC has an offset too", () => {
  choose("zone", "UTC");
  expect(offset(new Date(AT))).toBe("UTC+00:00");
});

test("what this browser does not know is as if nothing were chosen", () => {
  localStorage.setItem("handrail.zone", "Mars/Olympus");
  localStorage.setItem("handrail.dates", "not a language!");
  expect(zone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(language()).toBeUndefined();
});

test("the zones that are offered begin with UTC, each once", () => {
  const offered = zones();
  expect(offered[0]).toBe("UTC");
  expect(new Set(offered).size).toBe(offered.length);
});
