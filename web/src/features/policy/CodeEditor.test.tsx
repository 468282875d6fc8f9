// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { CodeEditor, type Problem } from "@/features/policy/CodeEditor";
import { vocabulary } from "@/features/policy/completing";

const known = vocabulary(["rules:\n  - level: high\n    environment: staging\n"]);

function Held({ problems = [] }: { problems?: Problem[] }) {
  const [text, setText] = useState("");
  return <CodeEditor file="a.yaml" text={text} problems={problems} known={known} onChange={setText} />;
}

afterEach(cleanup);

const field = (): HTMLTextAreaElement => screen.getByRole("textbox", { name: "Text of a.yaml" });

function type(text: string) {
  fireEvent.change(field(), { target: { value: text, selectionStart: text.length } });
}

test("what is offered is taken by key, and the field keeps the focus", () => {
  render(<Held />);
  field().focus();
  type("env");
  expect(screen.getByRole("option").textContent).toBe("environment: ");
  expect(field().getAttribute("aria-activedescendant")).toBe(screen.getByRole("option").id);
  fireEvent.keyDown(field(), { key: "Enter" });
  expect(field().value).toBe("environment: ");
  expect(screen.queryByRole("listbox")).toBeNull();
  expect(document.activeElement).toBe(field());
});

test("escape closes the list and takes nothing", () => {
  render(<Held />);
  type("lev");
  fireEvent.keyDown(field(), { key: "Escape" });
  expect(screen.queryByRole("listbox")).toBeNull();
  expect(field().value).toBe("lev");
});

test("Tab leaves the field where nothing is offered", () => {
  render(<Held />);
  expect(fireEvent.keyDown(field(), { key: "Tab" })).toBe(true);
});

test("a problem is said with its place, and leads there", () => {
  render(<Held problems={[{ line: 2, column: 3, field: "level", message: "is not a level" }]} />);
  type("rules:\n  level: grave");
  expect(field().getAttribute("aria-invalid")).toBe("true");
  fireEvent.click(screen.getByRole("button", { name: "Line 2, column 3: level: is not a level" }));
  expect(field().selectionStart).toBe(9);
});
