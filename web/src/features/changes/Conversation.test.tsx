// @vitest-environment jsdom
import { act, cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Conversation } from "@/features/changes/Conversation";
import { folded, NOTHING, type Change, type Talk } from "@/features/changes/model";
import { DEMO, shown, until } from "@/features/changes/rehearsal";
import type { CodeChangeDetail } from "@/lib/code-changes";
import { holdKeys } from "@/lib/holds";
import { meQuery } from "@/lib/me";
import { aHold } from "@/lib/samples";

const ME = { id: "p1", name: "Dev", kind: "person", roles: ["developer"], scopes: [] };
const ABOUT = {
  id: "c1",
  workflow: "change",
  status: "running",
  message: "Round prices.",
  repo_url: "https://example.org/acme/shop",
  created_at: "2026-11-15T09:30:00Z",
  started_by: { id: "p1", name: "Dev", kind: "person" },
  follows: null,
  hint: null,
} as unknown as CodeChangeDetail;

// its form is fetched when there is a question
const SLOW = { timeout: 10_000 };

beforeEach(() => {
  vi.stubGlobal("ResizeObserver", class { observe() {} disconnect() {} });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

test("what was asked, the stages, and what the agent said are there in order", async () => {
  await shown(<Conversation about={ABOUT} change={until("run.paused")} />, { known: [[meQuery.queryKey, ME]] });
  const log = screen.getByRole("log", { name: "Conversation" });
  const text = log.textContent;
  expect(text.indexOf("Round prices.")).toBeLessThan(text.indexOf("Reading the request"));
  expect(text.indexOf("Reading the request")).toBeLessThan(text.indexOf("Planning"));
});

test("a question is answered where it stands, and only once all that is required is given", { timeout: 20_000 }, async () => {
  const change = until("run.paused");
  const id = change.holds[0] ?? "";
  const schema = { type: "object", required: ["which"], properties: { which: { type: "string", title: "Which amounts?", enum: ["all prices", "taxes"] }, comment: { type: "string", title: "Comment" } } };
  const hold = aHold({ id, kind: "input", title: "Which amounts?", schema });
  await shown(<Conversation about={ABOUT} change={change} />, { known: [[meQuery.queryKey, ME], [holdKeys.one(id), hold]] });
  const form = within(await screen.findByRole("form", { name: "Which amounts?" }, SLOW));
  expect(form.getByRole("button", { name: "Send answer" })).toHaveProperty("disabled", true);
  await userEvent.click(form.getByLabelText("taxes"));
  expect(form.getByRole("button", { name: "Send answer" })).toHaveProperty("disabled", false);
});

test("whoever started it can stop it; others cannot; what has ended is followed up", async () => {
  const known: [readonly unknown[], unknown][] = [[meQuery.queryKey, ME]];
  await shown(<Conversation about={ABOUT} change={NOTHING} />, { known });
  expect(screen.getByRole("button", { name: "Stop…" })).toBeTruthy();
  cleanup();
  await shown(<Conversation about={{ ...ABOUT, started_by: { ...ABOUT.started_by, id: "p2" } }} change={NOTHING} />, { known });
  expect(screen.queryByRole("button", { name: "Stop…" })).toBeNull();
  cleanup();
  await shown(<Conversation about={{ ...ABOUT, status: "completed" }} change={folded(NOTHING, DEMO)} />, { known });
  expect(screen.getByLabelText("Follow up")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Start follow-up" })).toHaveProperty("disabled", true);
});

test("a diagram is drawn in the answer, not in the conversation", async () => {
  const talk = [{ is: "said" as const, seq: 1, at: ABOUT.created_at, content: "So:\n```mermaid\nflowchart LR\n  a --> b\n```\n", reasoning: "", calls: [] }];
  await shown(<Conversation about={ABOUT} change={{ ...NOTHING, talk }} />, { known: [[meQuery.queryKey, ME]] });
  expect(screen.getByRole("log").textContent).toContain("(A diagram: see the answer.)");
  expect(screen.getByRole("log").textContent).not.toContain("flowchart");
});

test("what was said before is not made again when more is said", async () => {
  let made = 0;
  const first: Talk = {
    is: "said",
    seq: 1,
    at: ABOUT.created_at,
    reasoning: "",
    calls: [],
    get content() {
      made += 1;
      return "first";
    },
  };
  let grow: (to: Change) => void = () => undefined;
  function Growing() {
    const [change, setChange] = useState<Change>({ ...NOTHING, talk: [first] });
    grow = setChange;
    return <Conversation about={ABOUT} change={change} />;
  }
  await shown(<Growing />, { known: [[meQuery.queryKey, ME]] });
  const before = made;
  act(() => grow({ ...NOTHING, talk: [first, { is: "note", seq: 2, at: ABOUT.created_at, words: "second", bad: false }] }));
  expect(screen.getByText("second")).toBeTruthy();
  expect(made).toBe(before);
});
