// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useListKeys } from "@/lib/list-keys";

afterEach(cleanup);

test("Enter opens the one that was moved to, whichever button was used before", async () => {
  const show = vi.fn();
  const used = vi.fn();
  function Page() {
    const current = useListKeys({ ids: ["first", "second"], open: undefined, show, leave: () => undefined }, () => ({}));
    return (
      <>
        <button onClick={used}>Sort</button>
        <p>{current}</p>
      </>
    );
  }
  render(<Page />);
  const user = userEvent.setup();
  await user.click(screen.getByRole("button"));
  await user.keyboard("jj{Enter}");
  expect(screen.getByText("second")).toBeTruthy();
  expect(show).toHaveBeenCalledWith("second");
  expect(used).toHaveBeenCalledOnce();
});
