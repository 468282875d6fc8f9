// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toast, Toasts } from "@/components/toasts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  act(() => void vi.runAllTimers());
  cleanup();
  vi.useRealTimers();
});

const say = (...given: Parameters<typeof toast>) => act(() => toast(...given));

test("no number of errors pushes an Undo away, and none moves it from the bottom", () => {
  render(<Toasts />);
  say({ title: "approved", action: { label: "Undo", run: () => undefined } });
  for (let i = 0; i < 5; i += 1) say({ title: `error ${i}`, tone: "error" });
  expect(screen.getByRole("button", { name: "Undo" })).toBeTruthy();
  expect(screen.getAllByText(/error|approved/).map((one) => one.textContent)).toEqual(["error 3", "error 4", "approved"]);
});
