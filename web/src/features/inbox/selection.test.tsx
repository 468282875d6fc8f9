// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useSelection } from "@/features/inbox/selection";
import { rowOf, type HoldRow } from "@/lib/holds";
import { aHold } from "@/lib/samples";

const row = (id: string, fields: Partial<HoldRow> = {}): HoldRow => ({ ...rowOf(aHold({ id }), null), ...fields });
const [a, b, c, d] = [row("a"), row("b"), row("c", { risk: "critical" }), row("d")] as const;

function selection(rows: HoldRow[] = [a, b, c, d]) {
  const shown = renderHook(({ now }) => useSelection(now, now), { initialProps: { now: rows } });
  return { ...shown, ids: () => shown.result.current.holds.map((hold) => hold.id) };
}

test("a range goes from what was selected last to where it ends, in either direction, without what needs its own yes", () => {
  const { result, ids } = selection();
  act(() => result.current.toggle(d));
  act(() => result.current.extend(a));
  expect(ids().sort()).toEqual(["a", "b", "d"]);
});

test("a range without a beginning is the one that was meant", () => {
  const { result, ids } = selection();
  act(() => result.current.extend(b));
  expect(ids()).toEqual(["b"]);
});

test("a group is selected as a whole, and then not at all", () => {
  const { result, ids } = selection();
  act(() => result.current.toggle(a));
  act(() => result.current.toggleAll([a, b, c]));
  expect(ids()).toEqual(["a", "b"]);
  act(() => result.current.toggleAll([a, b, c]));
  expect(ids()).toEqual([]);
});

test("what changed after it was selected is not decided with the others", () => {
  const { result, rerender, ids } = selection();
  act(() => result.current.toggleAll([a, b]));
  rerender({ now: [a, { ...b, digest: "other" }, c, d] });
  expect(ids()).toEqual(["a"]);
});
