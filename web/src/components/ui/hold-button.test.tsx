// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HOLD_MS, HoldButton } from "@/components/ui/hold-button";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function setUp(waits = false) {
  const held = vi.fn();
  const pressed = vi.fn();
  render(
    <HoldButton onHeld={held} onPressed={pressed} waits={waits}>
      Approve
    </HoldButton>,
  );
  return { held, pressed, button: screen.getByRole("button") };
}

function press(button: HTMLElement, ms: number) {
  fireEvent.pointerDown(button, { button: 0 });
  act(() => void vi.advanceTimersByTime(ms));
  fireEvent.pointerUp(button);
  fireEvent.click(button);
}

test("a press that is held to its end counts once", () => {
  const { held, pressed, button } = setUp();
  press(button, HOLD_MS);
  expect(held).toHaveBeenCalledOnce();
  expect(pressed).not.toHaveBeenCalled();
});

test("a press that is let go before its end is a brief one", () => {
  const { held, pressed, button } = setUp();
  press(button, HOLD_MS - 1);
  act(() => void vi.advanceTimersByTime(HOLD_MS));
  expect(held).not.toHaveBeenCalled();
  expect(pressed).toHaveBeenCalledOnce();
});

test("sliding off takes it back", () => {
  const { held, button } = setUp();
  fireEvent.pointerDown(button, { button: 0 });
  fireEvent.pointerLeave(button);
  act(() => void vi.advanceTimersByTime(HOLD_MS));
  expect(held).not.toHaveBeenCalled();
});

test("a key, or a program that presses for a person, needs no holding", () => {
  const { pressed, button } = setUp();
  fireEvent.click(button, { detail: 0 });
  expect(pressed).toHaveBeenCalledOnce();
});

test("while it waits neither way decides, and it keeps its place in the order of focus", () => {
  const { held, pressed, button } = setUp(true);
  press(button, HOLD_MS);
  expect(held).not.toHaveBeenCalled();
  expect(pressed).not.toHaveBeenCalled();
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(button.hasAttribute("disabled")).toBe(false);
});
