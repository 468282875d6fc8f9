// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { Deciding } from "@/components/deciding/deciding";
import { WithReason } from "@/components/deciding/steps";

afterEach(cleanup);

function deciding(reason: string) {
  const send = vi.fn<Deciding["send"]>();
  const approve = vi.fn<Deciding["approve"]>();
  const nothing = () => undefined;
  const made: Deciding = {
    ...{ mode: "respond", setMode: nothing, settled: true, reason, setReason: nothing, absent: null, setAbsent: nothing },
    ...{ approve, send, sending: false, refusal: null, mine: false, canWithdraw: false, withdraw: nothing, cancel: nothing },
  };
  return { made, send, approve };
}

test("a response is sent as words for the agent, and not as a reason", async () => {
  const { made, send } = deciding("  ask legal first ");
  render(<WithReason deciding={made} verdict="respond" />);
  await userEvent.click(screen.getByRole("button", { name: /Respond/ }));
  expect(send.mock.calls).toEqual([[{ verdict: "respond", answer: "ask legal first" }]]);
});

test("an empty response is not sent, and an empty reason for a no is", async () => {
  const silent = deciding(" ");
  render(<WithReason deciding={silent.made} verdict="respond" />);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: /Respond/ }).disabled).toBe(true);
  cleanup();
  render(<WithReason deciding={silent.made} verdict="reject" />);
  await userEvent.click(screen.getByRole("button", { name: /Reject/ }));
  expect(silent.send.mock.calls).toEqual([[{ verdict: "reject" }]]);
  expect(silent.approve).not.toHaveBeenCalled();
});
