import { expect, test } from "vitest";
import { entriesOf, groupTitle, holdIds, type Entry } from "@/features/inbox/groups";
import { rowOf } from "@/lib/holds";
import { aHold } from "@/lib/samples";

const tenant = (id: string, more: Parameters<typeof aHold>[0] = {}) =>
  rowOf(aHold({ id, action: { name: "delete_tenant", args: {}, target: id }, ...more }), null);
const deploy = rowOf(aHold({ id: "d" }), null);
const lines = (entries: Entry[]) => entries.map((one) => ("group" in one ? groupTitle(one.group) : one.id));

test("like holds are one line where the first of them stands", () => {
  expect(lines(entriesOf([tenant("a"), deploy, tenant("b"), tenant("c")], new Set()))).toEqual(["3 × delete tenant", "d"]);
});

test("an open group shows its holds below itself", () => {
  const holds = [deploy, tenant("a"), tenant("b")];
  const [, group] = entriesOf(holds, new Set());
  const open = new Set([group?.id ?? ""]);
  expect(lines(entriesOf(holds, open))).toEqual(["d", "2 × delete tenant", "a", "b"]);
  expect(holdIds(entriesOf(holds, open), open)).toEqual(["d", "a", "b"]);
  expect(holdIds(entriesOf(holds, new Set()), new Set())).toEqual(["d", "a", "b"]);
});

test("what is risked, asked or decided differently stays apart", () => {
  const other = { id: "x", name: "other-bot", kind: "agent" } as const;
  const question = tenant("q", { kind: "input" });
  const decided = { ...tenant("e"), decision: { outcome: "approved", basis: "people", by: null, on_behalf_of: null, at: "", reason: null } } as const;
  const holds = [tenant("a"), tenant("b", { risk: "critical" }), tenant("c", { opened_by: other }), question, decided];
  expect(lines(entriesOf(holds, new Set()))).toEqual(["a", "b", "c", "q", "e"]);
});
