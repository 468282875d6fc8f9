import { expect, test } from "vitest";
import type { Hold } from "@/lib/holds";
import { concerning } from "@/lib/notices";

const who = (id: string) => ({ id, name: id, kind: "person" as const });
const HOLD = {
  opened_by: who("bot"),
  started_by: null,
  status: "pending",
  may_decide: { allowed: true },
  reviews: [],
  decision: null,
} as unknown as Hold;
const entry = (type: string, actor: string | null = "bot") => ({ type, actor: actor === null ? null : who(actor) }) as never;

test("who may decide is told of what is asked and of what is escalated to them", () => {
  expect(concerning(entry("hold.opened"), HOLD, "ann")).toBe("bot asks you");
  expect(concerning(entry("hold.escalated", null), HOLD, "ann")).toBe("Escalated to you");
  const others: Hold = { ...HOLD, may_decide: { ...HOLD.may_decide, allowed: false } };
  expect(concerning(entry("hold.opened"), others, "ann")).toBeNull();
  expect(concerning(entry("hold.opened"), { ...HOLD, status: "approved" }, "ann")).toBeNull();
});

test("who asked or reviewed is told of the decision, and nobody of their own doing", () => {
  const decided = { ...HOLD, status: "rejected", decision: { outcome: "rejected", by: who("jon") }, may_decide: { allowed: false } } as unknown as Hold;
  expect(concerning(entry("hold.decided", "jon"), { ...decided, started_by: who("ann") }, "ann")).toBe("Rejected by jon");
  expect(concerning(entry("hold.decided", "jon"), decided, "ann")).toBeNull();
  expect(concerning(entry("hold.decided", "ann"), { ...decided, started_by: who("ann") }, "ann")).toBeNull();
});

test("a comment is for those who take part", () => {
  expect(concerning(entry("hold.commented", "jon"), HOLD, "ann")).toBe("jon commented");
  expect(concerning(entry("hold.commented", "jon"), { ...HOLD, may_decide: { allowed: false } } as Hold, "ann")).toBeNull();
});
