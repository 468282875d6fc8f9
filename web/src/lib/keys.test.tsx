// @vitest-environment jsdom
import { cleanup, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { keepTyped, takeTyped, useKeys } from "@/lib/keys";

afterEach(cleanup);

function setUp() {
  const acts = { j: vi.fn(), i: vi.fn(), gi: vi.fn() };
  function Page() {
    useKeys({ j: acts.j, i: acts.i, "g i": acts.gi });
    return <input aria-label="text" />;
  }
  return { acts, ...render(<Page />), user: userEvent.setup() };
}

test("a key acts when nobody is typing", async () => {
  const { acts, user, getByLabelText } = setUp();
  await user.keyboard("j");
  expect(acts.j).toHaveBeenCalledOnce();
  await user.click(getByLabelText("text"));
  await user.keyboard("j");
  expect(acts.j).toHaveBeenCalledOnce();
});

test("two keys in a row are another key, and not the second alone", async () => {
  const { acts, user } = setUp();
  await user.keyboard("gi");
  expect(acts.gi).toHaveBeenCalledOnce();
  expect(acts.i).not.toHaveBeenCalled();
  await user.keyboard("i");
  expect(acts.i).toHaveBeenCalledOnce();
});

test("Enter on what unfolds is for that, and for nothing else", async () => {
  const act = vi.fn();
  function Page() {
    useKeys({ Enter: act });
    return (
      <details>
        <summary tabIndex={0}>More</summary>
      </details>
    );
  }
  const { getByText } = render(<Page />);
  const unfolds = vi.fn((event: KeyboardEvent) => event.defaultPrevented);
  getByText("More").addEventListener("keydown", unfolds);
  const user = userEvent.setup();
  getByText("More").focus();
  await user.keyboard("{Enter}");
  expect(act).not.toHaveBeenCalled();
  expect(unfolds).toHaveReturnedWith(false);
});

test("with a modifier it is the browser's", async () => {
  const { acts, user } = setUp();
  await user.keyboard("{Control>}j{/Control}");
  expect(acts.j).not.toHaveBeenCalled();
});

function keydown(on: Element | Window, key: string, repeat: boolean): boolean {
  return on.dispatchEvent(new KeyboardEvent("keydown", { key, repeat, bubbles: true, cancelable: true }));
}

test("a key that is held down acts once, and types nothing into the field that it opened", () => {
  const act = vi.fn();
  function Page() {
    useKeys({ a: act });
    return <textarea aria-label="reason" />;
  }
  const { getByLabelText } = render(<Page />);
  keydown(window, "a", false);
  for (let i = 0; i < 10; i += 1) keydown(window, "a", true);
  expect(act).toHaveBeenCalledOnce();
  expect(keydown(getByLabelText("reason"), "a", true)).toBe(false);
  window.dispatchEvent(new KeyboardEvent("keyup", { key: "a" }));
  expect(keydown(getByLabelText("reason"), "a", true)).toBe(true);
});

test("moving through a list may be held down", () => {
  const { acts } = setUp();
  keydown(window, "j", false);
  keydown(window, "j", true);
  expect(acts.j).toHaveBeenCalledTimes(2);
});

test("an Enter that is held down presses no button a second time", () => {
  const { getByRole } = render(<button type="button">Approve</button>);
  expect(keydown(getByRole("button"), "Enter", false)).toBe(true);
  expect(keydown(getByRole("button"), "Enter", true)).toBe(false);
});

test("what is typed for a field that is on its way does nothing else, and is given to it", async () => {
  const { acts, user } = setUp();
  keepTyped();
  await user.keyboard("jxi{Backspace}i");
  expect(acts.j).not.toHaveBeenCalled();
  expect(acts.i).not.toHaveBeenCalled();
  expect(takeTyped()).toBe("jxi");
  await user.keyboard("j");
  expect(acts.j).toHaveBeenCalledOnce();
});
