// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { cleanup, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import { Bars, fitted } from "@/components/plots/Bars";
import { Figure } from "@/components/plots/Figure";
import { Series } from "@/components/plots/Series";

afterEach(cleanup);

async function shown(page: ReactNode) {
  const router = createRouter({ routeTree: createRootRoute({ component: () => page }), history: createMemoryHistory() });
  render(<RouterProvider router={router as never} />);
  return screen.findByRole("region", { name: "How many?" });
}

test("who does not see the picture has the answer, the numbers and the way to what they count", async () => {
  const figure = await shown(
    <Figure title="How many?" said="Three in all." name="many" numbers={{ head: ["Day", "Count"], rows: [[{ text: "Monday", value: "Monday" }, { text: "3", value: 3, link: { to: "/" } }]] }}>
      <Bars of={[{ label: "Monday", said: "3", title: "Monday: 3", parts: [{ value: 3, look: "", title: "3" }], onPick: () => undefined }]} />
    </Figure>,
  );
  expect(figure.textContent).toContain("Three in all.");
  expect(screen.getByRole("columnheader", { name: "Count", hidden: true })).toBeTruthy();
  expect(screen.getByRole("link", { name: "3", hidden: true }).getAttribute("href")).toBe("/");
  expect(figure.querySelector("svg")?.closest("[aria-hidden]")).not.toBeNull();
});

test("a line has a gap where there is no value", () => {
  const place = { label: "", title: "", onPick: () => undefined };
  const { container } = render(<Series places={[place, place, place, place, place]} lines={[{ name: "p50", values: [1, 2, null, 3, 4], look: "stroke-accent" }]} />);
  expect(container.querySelectorAll("path[fill=none]")).toHaveLength(2);
  expect(container.querySelectorAll("circle")).toHaveLength(4);
});

test("what is little is seen, and a bar is as long as its parts say", () => {
  expect(fitted([100, 0.5, 0, 0.5])).toEqual([97, 2, 0, 2]);
  expect(fitted([100, 10])).toEqual([100, 10]);
  expect(fitted([0.1])).toEqual([2]);
});

test("what is written at the end of the longest bar is behind it, whatever its parts", () => {
  const parts = [999, 1, 1, 1].map((value) => ({ value, look: "", title: "" }));
  const { container } = render(<Bars of={[{ label: "pay", said: "1,002", title: "", parts, onPick: () => undefined }]} />);
  const ends = [...container.querySelectorAll("rect:not(.fill-ink)")].map((one) => Number(one.getAttribute("x")) + Number(one.getAttribute("width")));
  const said = [...container.querySelectorAll("text")].at(-1);
  expect(Number(said?.getAttribute("x"))).toBeGreaterThan(Math.max(...ends));
  expect(said?.getAttribute("text-anchor")).not.toBe("end");
});
