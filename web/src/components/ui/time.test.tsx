// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Ago } from "@/components/ui/time";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-15T09:30:10Z") }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("moments grow older together, by one timer that ends with the last of them", () => {
  const { unmount } = render(
    <>
      <Ago at="2026-11-15T09:30:00Z" />
      <Ago at="2026-11-15T09:29:00Z" />
    </>,
  );
  expect(vi.getTimerCount()).toBe(1);
  expect(screen.getByText("10 s ago")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(1000));
  expect(screen.getByText("11 s ago")).toBeTruthy();
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
