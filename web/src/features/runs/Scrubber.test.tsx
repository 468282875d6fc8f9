// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Scrubber } from "@/features/runs/Scrubber";
import type { Part } from "@/lib/story";

const PARTS: Part[] = ["Started by Ann", "Paused", "Completed"].map((words, index) => ({ is: "mark", of: "note", seq: index + 1, at: `2026-11-17T12:00:0${index}Z`, words }));

function Held({ parts = PARTS }: { parts?: Part[] }) {
  const [moment, setMoment] = useState<number | null>(null);
  return <Scrubber parts={parts} moment={moment} onChange={setMoment} />;
}

const slider = () => screen.getByRole("slider", { name: "Moment of the story" });

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("it begins at the end, and says in words what was told last", () => {
  render(<Held />);
  expect(slider().getAttribute("aria-valuetext")).toMatch(/^3 of 3: Completed, /);
  expect(screen.queryByText(/earlier moment/)).toBeNull();
});

test("a step back is an earlier moment, and the end is one press away", () => {
  render(<Held />);
  fireEvent.click(screen.getByRole("button", { name: "One step back" }));
  expect(slider().getAttribute("aria-valuetext")).toMatch(/^2 of 3: Paused/);
  expect(screen.getByText(/earlier moment/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "To the end" }));
  expect(screen.queryByText(/earlier moment/)).toBeNull();
});

test("it plays from the beginning to the end and stops there", () => {
  vi.useFakeTimers();
  render(<Held />);
  fireEvent.click(screen.getByRole("button", { name: "Play" }));
  expect(slider().getAttribute("aria-valuetext")).toBe("the beginning");
  for (let pass = 0; pass < 4; pass += 1) act(() => void vi.advanceTimersByTime(700));
  expect(slider().getAttribute("aria-valuetext")).toMatch(/^3 of 3/);
  expect(screen.getByRole("button", { name: "Play" })).toBeTruthy();
});

test("there is nothing to go through in a story of one part", () => {
  render(<Held parts={PARTS.slice(0, 1)} />);
  expect(screen.queryByRole("slider")).toBeNull();
});
