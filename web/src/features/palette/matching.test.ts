import { expect, test } from "vitest";
import { matching, score, type Choice } from "@/features/palette/matching";

const choice = (label: string, group = "Pages", also = ""): Choice => ({ id: label, group, label, also, run: () => undefined });

test("every word must be in it, in any order and any spelling of case and accents", () => {
  expect(score({ label: "Start a run" }, "run start")).toBeGreaterThan(0);
  expect(score({ label: "Zoë" }, "zoe")).toBeGreaterThan(0);
  expect(score({ label: "Start a run" }, "run stop")).toBe(0);
  expect(score({ label: "Policy", also: "rules" }, "rules")).toBeGreaterThan(0);
});

test("a beginning counts more than a middle, and a label more than what it is also called", () => {
  const found = matching([choice("Bring it in"), choice("Inbox"), choice("Holds", "Pages", "inbox")], "in");
  expect(found.map((one) => one.label)).toEqual(["Inbox", "Bring it in", "Holds"]);
});

test("groups keep their order and none crowds out another", () => {
  const many = Array.from({ length: 20 }, (_, index) => choice(`hold ${index}`, "Holds"));
  const found = matching([...many, choice("hold everything", "Actions")], "hold");
  expect(found.filter((one) => one.group === "Holds")).toHaveLength(6);
  expect(found.at(-1)?.label).toBe("hold everything");
});

test("before anything is typed everything fits", () => {
  expect(matching([choice("Inbox"), choice("Runs")], "")).toHaveLength(2);
});
