import { afterEach, expect, test } from "vitest";
import { exact } from "@/lib/format";
import { language, momentOf, offset, readDatesAs, wallTime, zone, zones } from "@/lib/locale";

const AT = "2026-07-01T12:00:00Z";

afterEach(() => {
  readDatesAs({ zone: null, language: null });
});

test("a moment is shown in the zone and the language that the person chose, with its offset", () => {
  readDatesAs({ zone: "Asia/Kolkata", language: "de-DE" });
  expect(exact(AT)).toBe("01.07.2026, 17:30:00 (UTC+05:30)");
  readDatesAs({ zone: "America/New_York", language: "en-GB" });
  expect(exact(AT)).toBe("1 Jul 2026, 08:00:00 (UTC−04:00)");
});

test("UTC has an offset too", () => {
  readDatesAs({ zone: "UTC", language: null });
  expect(offset(new Date(AT))).toBe("UTC+00:00");
});

test("what this browser does not know is as if nothing were chosen", () => {
  readDatesAs({ zone: "Mars/Olympus", language: "not a language!" });
  expect(zone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(language()).toBeUndefined();
});

test("the zones that are offered begin with UTC, each once", () => {
  const offered = zones();
  expect(offered[0]).toBe("UTC");
  expect(new Set(offered).size).toBe(offered.length);
});

test.each([
  ["Europe/Berlin", "2026-10-24T12:00", "2026-10-24T10:00:00.000Z"],
  ["Europe/Berlin", "2026-10-25T12:00", "2026-10-25T11:00:00.000Z"],
  ["Asia/Kolkata", "2026-01-01T00:10", "2025-12-31T18:40:00.000Z"],
  ["America/New_York", "2026-03-08T03:00", "2026-03-08T07:00:00.000Z"],
])("what a clock in %s shows at %s is one moment, and back", (where, wall, moment) => {
  readDatesAs({ zone: where, language: null });
  expect(momentOf(wall).toISOString()).toBe(moment);
  expect(wallTime(new Date(moment))).toBe(wall);
});
