import { expect, test } from "vitest";
import { moments } from "@/features/hold/moments";
import type { HoldEvent } from "@/lib/amendments";
import type { Hold } from "@/lib/holds";
import { aHold } from "@/lib/samples";

const ann = { id: "ann", name: "Ann", kind: "person" as const };
const ben = { id: "ben", name: "Ben", kind: "person" as const };
const bot = { id: "bot", name: "deploy-bot", kind: "agent" as const };

function story(...told: [type: string, actor: HoldEvent["actor"], data?: HoldEvent["data"]][]): HoldEvent[] {
  return told.map(([type, actor, data = {}], index) => ({ seq: index + 1, type, actor, on_behalf_of: null, person: null, data, at: `2026-11-15T09:30:0${index}Z` }));
}

const approvedBy = (...who: (typeof ann)[]): Hold["reviews"] =>
  who.map((by) => ({ by, verdict: "approve", roles: [], at: "", reason: null, credential: null, on_behalf_of: null, signed: false, pack: null }));

const amended = { revision: 2, reason: "too much", counts_as_approval: true, changes: [{ path: "args.amount", from: 480, to: 240 }] };

test("an amendment says who changed which argument from what to what", () => {
  const hold = aHold({ revision: 2, reviews: approvedBy(ben) });
  const [, told] = moments(hold, story(["hold.opened", bot], ["hold.amended", ben, amended]), []);
  expect(told).toMatchObject({
    what: "Ben amended it: revision 2; this counts as an approval",
    text: "too much",
    changes: [{ path: "amount", was: 480, is: 240 }],
  });
  expect(told?.overtaken).toBeUndefined();
});

test("an approval of what it was before is overtaken, and only the later one is used", () => {
  const hold = aHold({ revision: 2, status: "approved", reviews: approvedBy(ben, ann) });
  const told = moments(
    hold,
    story(["hold.reviewed", ann, { verdict: "approve" }], ["hold.amended", ben, amended], ["hold.reviewed", ann, { verdict: "approve" }], ["hold.decided", ann, { outcome: "approved", basis: "people" }], ["hold.redeemed", bot]),
    [],
  );
  expect(told.map((one) => [one.what, one.overtaken])).toEqual([
    ["Ann approved", "replaced by revision 2"],
    ["Ben amended it: revision 2; this counts as an approval", undefined],
    ["Ann approved", undefined],
    ["Decided: approved by Ann", undefined],
    ["Used by deploy-bot", undefined],
  ]);
});

test("a decision whose approval was withdrawn, or that the policy voids, stands no longer", () => {
  const decided: HoldEvent["data"] = { outcome: "approved", basis: "people" };
  const withdrawn = moments(
    aHold(),
    story(["hold.reviewed", ann, { verdict: "approve" }], ["hold.decided", ann, decided], ["hold.withdrawn", ann], ["hold.reopened", ann, { cause: "withdrawn" }]),
    [],
  );
  expect(withdrawn.slice(0, 2).map((one) => one.overtaken)).toEqual(["withdrawn", "an approval was withdrawn"]);
  const void_ = moments(aHold(), story(["hold.reviewed", ann, { verdict: "approve" }], ["hold.decided", ann, decided], ["hold.reopened", null, { cause: "policy" }]), []);
  expect(void_.map((one) => one.overtaken)).toEqual(["it no longer counts", "it was reopened", undefined]);
});

test("who was notified, and who could not be, stands in the order of time", () => {
  const notice = { id: "n", people: [ann, ben], channel: "slack", status: "delivered", attempts: 1, last_error: null, queued_at: "2026-11-15T09:30:00Z", delivered_at: "2026-11-15T09:30:05Z" } as const;
  const dead = { ...notice, id: "d", people: [ben], channel: "email", status: "dead", last_error: "no such address", delivered_at: null } as const;
  const waits = { ...notice, id: "w", status: "queued", attempts: 0 } as const;
  const told = moments(aHold(), story(["hold.opened", bot]), [], [notice, dead, waits].map((one) => ({ ...one, people: [...one.people] })));
  expect(told.map((one) => [one.what, one.text])).toEqual([
    ["Requested by deploy-bot", undefined],
    ["Could not notify Ben by email", "no such address"],
    ["Notified Ann and Ben by slack", undefined],
  ]);
});

test("a claim and an assignment say who looks at it", () => {
  const [claimed, assigned] = story(["hold.assigned", ann], ["hold.assigned", ann]).map((one, index) => ({ ...one, person: [ann, ben][index] ?? null }));
  expect(moments(aHold(), [claimed, assigned].filter((one) => one !== undefined), []).map((one) => one.what)).toEqual(["Ann claimed it", "Ann assigned it to Ben"]);
});

test("everything that happened to a hold is in its timeline, in order", () => {
  const notice = { id: "n", people: [ben], channel: "slack", status: "delivered", attempts: 1, last_error: null, queued_at: "2026-11-15T09:30:00Z", delivered_at: "2026-11-15T09:30:00.500Z" } as const;
  const told = moments(
    aHold({ revision: 2, reviews: approvedBy(ben) }),
    story(["hold.opened", bot], ["hold.reviewed", ann, { verdict: "approve" }], ["hold.escalated", null], ["hold.amended", ben, amended], ["hold.withdrawn", ann], ["hold.resulted", bot, { outcome: "ok" }]),
    [{ id: 1, by: ann, at: "2026-11-15T09:30:01.500Z", text: "Is it urgent?" }],
    [{ ...notice, people: [...notice.people] }],
  );
  expect(told.map((one) => one.what)).toEqual([
    "Requested by deploy-bot",
    "Notified Ben by slack",
    "Ann approved",
    "Ann",
    "Escalated: more people were asked",
    "Ben amended it: revision 2; this counts as an approval",
    "Ann withdrew their approval",
    "Ran: ok",
  ]);
});
