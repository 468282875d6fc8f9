// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Button } from "@/components/ui/button";

// jsdom has the element without its methods
beforeAll(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
});
afterEach(cleanup);

function setUp(field = true) {
  const onClose = vi.fn();
  render(
    <Dialog title="Lift the brake" onClose={onClose}>
      {field ? <textarea aria-label="Reason" /> : null}
      <BackButton />
      <Button>Lift it</Button>
    </Dialog>,
  );
  return { onClose, user: userEvent.setup() };
}

test("the first field has the focus, not the cross", () => {
  setUp();
  expect(document.activeElement).toBe(screen.getByLabelText("Reason"));
});

test("without a field the first button of its own has the focus", () => {
  setUp(false);
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Back" }));
});

test.each(["Escape", "Close", "Back"])("%s closes what is empty, and asks where something was typed", async (way) => {
  const leave = async () => {
    if (way === "Escape") fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
    else await user.click(screen.getByRole("button", { name: way }));
  };
  const { onClose, user } = setUp();
  await leave();
  expect(onClose).toHaveBeenCalledOnce();
  onClose.mockClear();
  await user.type(screen.getByLabelText("Reason"), "repaired");
  await leave();
  expect(onClose).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Keep writing" }));
  await user.click(screen.getByRole("button", { name: "Keep writing" }));
  expect(screen.queryByText(/lose what you typed/)).toBeNull();
  await leave();
  await user.click(screen.getByRole("button", { name: "Close anyway" }));
  expect(onClose).toHaveBeenCalledOnce();
});
