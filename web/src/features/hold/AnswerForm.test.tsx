// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import AnswerForm from "@/features/hold/AnswerForm";
import type { Deciding } from "@/components/deciding/deciding";
import { aHold } from "@/lib/samples";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

function deciding() {
  const send = vi.fn<Deciding["send"]>();
  const nothing = () => undefined;
  const made: Deciding = {
    mode: "look",
    setMode: nothing,
    settled: true,
    reason: "",
    setReason: nothing,
    absent: null,
    setAbsent: nothing,
    approve: nothing,
    send,
    sending: false,
    refusal: null,
    mine: false,
    canWithdraw: false,
    withdraw: nothing,
    cancel: nothing,
  };
  return { made, send };
}

const question = (schema: unknown) => aHold({ kind: "input", schema, title: "Which?" });

test("a choice is sent as its value, not as its label", async () => {
  const { made, send } = deciding();
  render(<AnswerForm hold={question({ oneOf: [{ const: 7, title: "seven" }, { const: 8, title: "eight" }] })} open deciding={made} />);
  expect(screen.getByRole<HTMLButtonElement>("button").disabled).toBe(true);
  await userEvent.click(screen.getByLabelText("eight"));
  await userEvent.click(screen.getByRole("button"));
  expect(send.mock.calls[0]?.[0]).toEqual({ verdict: "answer", answer: 8 });
});

test("what was typed survives a new revision of the page, and goes when it is sent", async () => {
  const { made, send } = deciding();
  send.mockImplementation((_review, done) => done?.());
  const first = render(<AnswerForm hold={question(null)} open deciding={made} />);
  await userEvent.type(screen.getByRole("textbox"), "yesterday");
  first.unmount();
  render(<AnswerForm hold={question(null)} open deciding={made} />);
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("yesterday");
  await userEvent.click(screen.getByRole("button"));
  expect(send.mock.calls[0]?.[0]).toEqual({ verdict: "answer", answer: "yesterday" });
  expect(sessionStorage.length).toBe(0);
});

test("what is asked for is said once", () => {
  render(<AnswerForm hold={question(null)} open deciding={deciding().made} />);
  expect(screen.getAllByText("Your answer")).toHaveLength(1);
  expect(screen.getByRole("textbox", { name: "Your answer" })).toBeTruthy();
});

test("a password is never kept", async () => {
  render(<AnswerForm hold={question({ type: "string", format: "password" })} open deciding={deciding().made} />);
  await userEvent.type(screen.getByRole("textbox"), "s3cret");
  expect(sessionStorage.length).toBe(0);
});

test("an answer that was given is shown", () => {
  const decision = { outcome: "answered", basis: "people", by: null, on_behalf_of: null, at: "", reason: null, answer: "eu-west", grant: null, items: [] } as const;
  render(<AnswerForm hold={{ ...question(null), status: "answered", decision: { ...decision, items: [] } }} open={false} deciding={deciding().made} />);
  expect(screen.getByText("eu-west")).toBeTruthy();
});
