import { expect, test } from "vitest";
import { aHold } from "@/lib/samples";
import { effectText, headline, missing, needs, outcome, progress } from "@/lib/wording";

test("the effect is told from the action, not from the title", () => {
  const hold = aHold({ title: "A harmless little thing", action: { name: "delete_database", args: {}, target: "orders-prod" } });
  expect(effectText(hold)).toBe("If approved, deploy-bot will run delete_database on orders-prod.");
});

test("the first arguments are in the sentence, and how many more there are", () => {
  const hold = aHold({ action: { name: "pay", args: { amount: 12, to: "Ann", when: "now", note: "x" }, target: null } });
  expect(effectText(hold)).toBe("If approved, deploy-bot will run pay with amount 12, to Ann, when now and 1 more argument.");
});

test("of a nested value that does not fit the sentence it says how much there is in it", () => {
  const long = { provider: "alpha", regions: ["eu", "us"], limits: { per_day: 10_000, per_hour: 900, burst: 50 } };
  const hold = aHold({ action: { name: "route", args: { to: [long, long], by: long, near: { x: 1 } }, target: null } });
  expect(effectText(hold)).toBe('If approved, deploy-bot will run route with to (2 entries), by (3 fields), near {"x":1}.');
});

test("text that would turn the direction of reading is not let through", () => {
  const hold = aHold({ action: { name: "pay", args: {}, target: "safe\u202Eevil" } });
  expect(effectText(hold)).not.toContain("\u202E");
});

test("a batch says that each item counts", () => {
  const hold = aHold({ items: [{ item_id: "1" }, { item_id: "2" }], action: { name: "mail", args: {}, target: null } });
  expect(effectText(hold)).toBe("For each item you approve, deploy-bot will run mail. There are 2.");
});

test("who must say yes", () => {
  const of = (approvals: number, roles: string[], required: string[][]) =>
    needs(
      aHold({ requirements: { approvals, roles, required, rejections: 1, justification: false, own_credential: false, passkey: false, requester_may_decide: false, stand_ins: true, grants: true } }),
    );
  expect(of(2, ["cto", "tech_lead"], [["cto"], ["tech_lead"]])).toBe("a CTO and a tech lead");
  expect(of(2, ["cto", "team_lead", "tech_lead"], [["cto", "tech_lead"]])).toBe(
    "2 of CTO, team lead or tech lead, including a CTO or tech lead",
  );
  expect(of(1, ["team_lead"], [])).toBe("a team lead");
});

test("progress counts different people", () => {
  const ann = { id: "ann", name: "Ann", kind: "person" as const };
  const yes = { by: ann, verdict: "approve" as const, roles: [], at: "", reason: null, credential: null, on_behalf_of: null, signed: false, pack: null };
  expect(progress(aHold({ reviews: [yes, yes] }))).toBe("1 of 2");
});

test("an outcome names the person, or what decided instead", () => {
  expect(outcome({ outcome: "approved", basis: "people", by: { name: "Mara" } })).toBe("approved by Mara");
  expect(outcome({ outcome: "approved", basis: "people", by: { name: "Ann" }, on_behalf_of: { name: "Bob" } })).toBe("approved by Ann for Bob");
  expect(outcome({ outcome: "rejected", basis: "brake", by: null })).toBe("rejected by the brake");
  expect(outcome({ outcome: "approved", basis: "observation", by: null })).toBe("approved unasked (only observed)");
  expect(outcome({ outcome: "expired", basis: "expiry", by: null })).toBe("expired");
});

test("what was amended is called by what it has become, not as the agent called it", () => {
  const hold = aHold({ title: "Refund 480 EUR", action: { name: "refund", args: { amount: 240, currency: "EUR" }, target: "order-77" } });
  expect(headline(hold)).toBe("Refund 480 EUR");
  expect(headline({ ...hold, revision: 2 })).toBe("Refund: amount 240, currency EUR (order-77)");
});

test("what it still takes names those who have not said yes", () => {
  const yes = (id: string, ...roles: string[]) => ({ by: { id, name: id, kind: "person" as const }, verdict: "approve" as const, roles, at: "", reason: null, credential: null, on_behalf_of: null, signed: false, pack: null });
  const asked = aHold();
  expect(missing(asked)).toBe("2 more approvals from a CTO, team lead or tech lead, including a CTO or tech lead");
  expect(missing({ ...asked, reviews: [yes("jon", "team_lead")] })).toBe("1 more approval from a CTO or tech lead");
  expect(missing({ ...asked, reviews: [yes("mara", "tech_lead")] })).toBe("1 more approval from a CTO, team lead or tech lead");
  expect(missing({ ...asked, reviews: [yes("mara", "tech_lead"), yes("jon", "team_lead")] })).toBeNull();
});

test("a grant says what it allows, in the server's own words", () => {
  const allowed = 'bot may call deploy with version beginning with "1.", until 24 Nov 2026 11:52 UTC.';
  const hold = aHold({ kind: "review", description: allowed, action: { name: "handrail.grant", args: { action: "deploy" }, target: null } });
  expect(effectText(hold)).toBe(`If approved, from then on: ${allowed}`);
});
