// @vitest-environment jsdom
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import FilesView from "@/features/changes/Files";
import type { FileDiff } from "@/features/changes/model";
import type { Remark, Reviewing } from "@/features/changes/reviewing";
import { deciding, shown, until } from "@/features/changes/rehearsal";
import { StageRail } from "@/features/changes/StageRail";
import TestsView from "@/features/changes/Tests";
import PlanForm from "@/components/plan-form";
import type { LeftOut, Plan } from "@/lib/change-holds";
import { aHold } from "@/lib/samples";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

test("the rail says of each stage how it stands: done, under way, waiting for people, ahead", () => {
  render(<StageRail change={until("run.paused")} asked="change.plan" />);
  const stops = within(screen.getByRole("list", { name: "Stages" })).getAllByRole("listitem");
  expect(stops.map((stop) => stop.textContent)).toHaveLength(9);
  expect(stops[3]?.textContent).toContain("Plan approvalwaiting for people");
  expect(stops[3]?.getAttribute("aria-current")).toBe("step");
  expect(stops[2]?.textContent).toContain("done");
  expect(stops[4]?.textContent).toContain("not yet");
});

test("a stage that failed and is done again says so", () => {
  const change = until("change.edited", 3);
  render(<StageRail change={change} asked={null} />);
  const stops = within(screen.getByRole("list", { name: "Stages" })).getAllByRole("listitem");
  expect(stops[4]?.textContent).toMatch(/in progress.*2×/);
  expect(stops[5]?.textContent).toContain("to be repeated");
});

const PLAN: Plan = {
  kind: "fix",
  title: "round prices",
  summary: "",
  tasks: [
    { task: "Round", files: ["money.py"], new_files: [], changes: "", tests: [], weakens: ["money.py"], notes: "" },
    { task: "Note it", files: [], new_files: ["CHANGES.md"], changes: "", tests: [], weakens: [], notes: "" },
  ],
  criteria: [],
  migration: "",
  rollback: "",
};
const ACTION = { name: "change.plan", args: { plan: PLAN }, target: null };

test("the plan's form sends what was changed, shows it first, and nothing that could not be done", { timeout: 20_000 }, async () => {
  const { made, send } = deciding();
  render(<PlanForm hold={aHold({ action: ACTION })} action={ACTION} deciding={made} />);
  const save = screen.getByRole("button", { name: "Save as new revision" });
  expect(save).toHaveProperty("disabled", true);
  await userEvent.click(screen.getByRole("button", { name: "Move task 2 up" }));
  await userEvent.type(screen.getAllByLabelText("Files")[1] as HTMLElement, "cart.py{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Remove money.py" }));
  expect(screen.getByText("tasks 1.task")).toBeTruthy();
  await userEvent.click(save);
  const sent = send.mock.calls[0]?.[0] as unknown as { amended_action: { args: { plan: Plan } } };
  expect(sent.amended_action.args.plan.tasks).toMatchObject([
    { task: "Note it", new_files: ["CHANGES.md"] },
    // what a task would have weakened went with the file
    { task: "Round", files: ["cart.py"], weakens: [] },
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Remove cart.py" }));
  expect(save).toHaveProperty("disabled", true);
});

const FILE: FileDiff = {
  path: "money.py",
  old_path: "money.py",
  status: "modified",
  binary: false,
  added: 2,
  deleted: 2,
  diff: "@@ -1,2 +1,2 @@\n def cents(price):\n-    return int(price)\n+    return round(price)\n@@ -9,2 +9,2 @@\n def euros(cents):\n-    return cents\n+    return cents / 100\n",
  hunks: ["h1", "h2"],
};

/** A review whose marks are kept, as the page keeps them. */
function Reviewed({ told }: { told: (review: { left: LeftOut[]; remarks: Remark[] }) => void }) {
  const [leftOut, setLeftOut] = useState<LeftOut[]>([]);
  const [remarks, setRemarks] = useState<Remark[]>([]);
  told({ left: leftOut, remarks });
  const hold = aHold();
  const review: Reviewing = { hold, now: hold, look: () => undefined, deciding: deciding().made, open: true, leftOut, setLeftOut, remarks, setRemarks, marked: false };
  return <FilesView files={[FILE, { ...FILE, path: "logo.png", binary: true, diff: "", hunks: [] }]} edits={[]} review={review} ended={false} />;
}

test("a hunk is left out and taken in again, alone and with its file", async () => {
  let last = { left: [] as LeftOut[], remarks: [] as Remark[] };
  render(<Reviewed told={(now) => (last = now)} />);
  const file = within(screen.getByRole("article", { name: "money.py" }));
  await userEvent.click(file.getByRole("checkbox", { name: "Include @@ -9,2 +9,2 @@" }));
  expect(last.left).toEqual([{ path: "money.py", hunks: ["h2"] }]);
  expect(file.getByText("left out")).toBeTruthy();
  await userEvent.click(file.getByRole("checkbox", { name: "Include @@ -1,2 +1,2 @@" }));
  expect(last.left).toEqual([{ path: "money.py", hunks: [] }]);
  expect(file.getByText(/stays as it is on the base branch/)).toBeTruthy();
  await userEvent.click(file.getByRole("checkbox", { name: "Include money.py" }));
  expect(last.left).toEqual([]);
  expect(screen.getByText("A binary file. It cannot be shown.")).toBeTruthy();
});

test("a comment is written by keyboard, on the line that was chosen, and can be removed", async () => {
  let last = { left: [] as LeftOut[], remarks: [] as Remark[] };
  render(<Reviewed told={(now) => (last = now)} />);
  const hunk = within(screen.getByRole("region", { name: "@@ -9,2 +9,2 @@" }));
  await userEvent.click(hunk.getByRole("button", { name: "Comment" }));
  await userEvent.selectOptions(hunk.getByLabelText("Line"), "10");
  await userEvent.type(hunk.getByLabelText("Comment for the agent"), "Why?{Control>}{Enter}{/Control}");
  expect(last.remarks).toEqual([{ path: "money.py", line: 10, text: "Why?" }]);
  await userEvent.click(hunk.getByRole("button", { name: "Remove this comment" }));
  expect(last.remarks).toEqual([]);
});

test("tests fill in as they end, new failures first, each with its output and with how it was before", async () => {
  await shown(<TestsView change={until("change.tested", 6)} ended={false} />);
  expect(screen.getByRole("status").textContent).toContain("so far");
  cleanup();
  await shown(<TestsView change={until("change.verified", 2)} ended={false} />, { search: "?tab=tests&attempt=1" });
  const table = screen.getByRole("region", { name: "Test results" });
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows.map((row) => row.textContent.slice(0, 6))).toEqual(["errore", "errore", "failed", "passed"]);
  expect(within(rows[3] as HTMLElement).getAllByText("passed")).toHaveLength(2);
  expect(within(table).getAllByLabelText(/^Output of/).length).toBeGreaterThan(0);
  await userEvent.selectOptions(screen.getByLabelText("Which attempt"), "Newest attempt");
  expect(await screen.findByText("4 tests, all passed")).toBeTruthy();
});

test("what has ended promises nothing", async () => {
  await shown(<TestsView change={until("run.paused")} ended />);
  expect(screen.getByText("It ended before any test ran.")).toBeTruthy();
});
