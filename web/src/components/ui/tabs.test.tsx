// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { Tabs } from "@/components/ui/tabs";

afterEach(cleanup);

function Held() {
  const [open, setOpen] = useState("one");
  return (
    <Tabs label="Files" names={["one", "two", "three"]} open={open} onOpen={setOpen} line={(name) => name}>
      <textarea aria-label={`Text of ${open}`} />
    </Tabs>
  );
}

test("arrows, Home and End open a tab and take the focus along, round and round", async () => {
  render(<Held />);
  const user = userEvent.setup();
  await user.tab();
  for (const [key, name] of [["ArrowRight", "two"], ["End", "three"], ["ArrowRight", "one"], ["ArrowLeft", "three"], ["Home", "one"]] as const) {
    await user.keyboard(`{${key}}`);
    expect(document.activeElement).toBe(screen.getByRole("tab", { name, selected: true }));
    expect(screen.getByRole("tabpanel", { name }).contains(screen.getByRole("textbox", { name: `Text of ${name}` }))).toBe(true);
  }
});

test("Tab stops at the open tab alone, and then in its panel", async () => {
  render(<Held />);
  const user = userEvent.setup();
  await user.click(screen.getByRole("tab", { name: "two" }));
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Text of two" }));
  await user.tab({ shift: true });
  expect(document.activeElement).toBe(screen.getByRole("tab", { name: "two" }));
});
