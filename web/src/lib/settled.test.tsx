// @vitest-environment jsdom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { READABLE_MS, useSettled } from "@/lib/settled";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function pass(ms: number) {
  act(() => void vi.advanceTimersByTime(ms));
}

function see(visible: boolean) {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(visible ? "visible" : "hidden");
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

test("what is shown settles after it has been readable for a moment, and what takes its place settles anew", () => {
  const { result, rerender } = renderHook(({ what }) => useSettled(what), { initialProps: { what: "one" } });
  pass(READABLE_MS - 1);
  expect(result.current).toBe(false);
  pass(1);
  expect(result.current).toBe(true);
  rerender({ what: "two" });
  expect(result.current).toBe(false);
  pass(READABLE_MS);
  expect(result.current).toBe(true);
});

test("the time that a page is in the background does not count", () => {
  see(false);
  const { result } = renderHook(() => useSettled("one"));
  pass(10 * READABLE_MS);
  expect(result.current).toBe(false);
  see(true);
  pass(READABLE_MS);
  expect(result.current).toBe(true);
});
