// @vitest-environment jsdom
import { cleanup, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useKeys } from "@/lib/keys";

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

test("with a modifier it is the browser's", async () => {
  const { acts, user } = setUp();
  await user.keyboard("{Control>}j{/Control}");
  expect(acts.j).not.toHaveBeenCalled();
});
