import assert from "node:assert/strict";
import { test } from "node:test";
import * as sdk from "../src/index.js";
import { AT, client, hold, json } from "./wire.js";

const { ask, digest } = sdk;

function answered(answer: unknown): sdk.Hold {
  const wire = hold("answered");
  return { ...wire, decision: wire.decision && { ...wire.decision, answer } };
}

test("the type of an answer follows from its schema", async () => {
  const given = { granted: true, amount: 100, notes: ["a"] };
  const { client: handrail, sent } = client(json(201, answered(given)), json(201, answered("eu")));
  const schema = {
    type: "object",
    properties: { granted: { type: "boolean" }, amount: { type: "number" }, notes: { type: "array", items: { type: "string" } } },
    required: ["granted", "notes"],
  } as const;
  const decision = await ask({ order: "77" }, schema, { title: "Refund", key: "k", timeout: 60, client: handrail });
  const typed: { granted: boolean; amount?: number; notes: string[] } = decision;
  assert.deepEqual(typed, given);
  assert.deepEqual(sent[0]?.body, { kind: "input", title: "Refund", schema, evidence: { order: "77" }, expires_in: 60 });
  assert.equal(sent[0].headers["Idempotency-Key"], "k");
  const region: "eu" | "us" = await ask("Which region?", { enum: ["eu", "us"] }, { client: handrail });
  assert.equal(region, "eu");
});

/** A schema as zod and others make it. */
const YES: sdk.Standard<{ at: Date }> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => (typeof value === "string" ? { value: { at: new Date(value) } } : { issues: [{ message: "no date" }] }),
    jsonSchema: { input: ({ target }) => ({ $comment: target, type: "string", format: "date-time" }) },
  },
};

test("a schema of a library gives its JSON schema, and the answer its own value", async () => {
  const { client: handrail, sent } = client(json(201, answered(AT)));
  const { at } = await ask("When?", YES, { client: handrail });
  assert.equal(at.getTime(), Date.parse(AT));
  assert.deepEqual(sent[0]?.body["schema"], { $comment: "draft-2020-12", type: "string", format: "date-time" });
  await assert.rejects(ask("When?", YES, { client: client(json(201, answered(7))).client }), /does not fit its schema: no date/);
});

test("a question without a title, or a schema without a JSON schema, is refused at once", async () => {
  await assert.rejects(ask({ order: "77" }, { type: "boolean" }, { client: client().client }), /needs a `title`/);
  const { jsonSchema: _, ...bare } = YES["~standard"];
  await assert.rejects(ask("When?", { "~standard": bare }, { client: client().client }), /have no JSON schema/);
});

test("a question that nobody answers is thrown with its end", async () => {
  for (const status of ["expired", "cancelled"] as const) {
    await assert.rejects(ask("When?", { type: "string" }, { client: client(json(201, hold(status))).client }), sdk.NotAllowed);
  }
});

const REQUEST = { caseId: "c", agentType: "mailer", actionDescription: "Send?", affectedItems: ["a"] };
const EVIDENCE = { agent_type: "mailer", affected_items: ["a"] };

test("a confirmation is a yes only if exactly what was asked was approved", async () => {
  const same = await digest("confirmation", "Send?", null, { evidence: EVIDENCE });
  for (const [shown, approved] of [[same, true], ["0".repeat(64), false]] as const) {
    const { client: handrail, sent } = client(json(201, hold("approved", { digest: shown })));
    const result = await sdk.requestConfirmation({ ...REQUEST, timeout: 9, client: handrail });
    assert.deepEqual(result, { approved, reason: null, respondedAt: AT });
    const { evidence, on_expiry, expires_in, case_id } = sent[0]?.body ?? {};
    assert.deepEqual([evidence, on_expiry, expires_in, case_id], [EVIDENCE, "reject", 9, "c"]);
  }
});

test("a batch has a decision for every item, a no for those without", async () => {
  const wire = hold("answered");
  const items = [{ item_id: "b", approved: true, reason: null }];
  const { client: handrail } = client(json(201, { ...wire, decision: { ...wire.decision, items } }));
  const request = { ...REQUEST, items: [{ item_id: "a", amount: 1 }, { item_id: "b" }], client: handrail };
  const { approved, decisions } = await sdk.requestConfirmations(request);
  assert.deepEqual(approved, ["b"]);
  assert.deepEqual(decisions[0], { item_id: "a", approved: false, reason: "the request was answered" });
  await assert.rejects(sdk.requestConfirmations({ ...request, items: [{ id: 1 }] }), sdk.Invalid);
});

test("an amended request is resolved only with the digest that was seen", async () => {
  const { client: handrail } = client(json(200, hold("pending", { revision: 2 })));
  await assert.rejects(sdk.resolveConfirmation(hold().id, true, { client: handrail }), sdk.DigestRequired);
  const { client: person, sent } = client(json(200, hold("approved")));
  await sdk.resolveConfirmation(hold().id, false, { client: person, digest: "1", reason: "no" });
  assert.deepEqual(sent[0]?.body, { verdict: "reject", digest: "1", reason: "no" });
});
