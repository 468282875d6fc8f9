import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInterrupts } from "../src/langgraph.js";
import { NotAllowed, type Hold } from "../src/index.js";
import { client, hold, json, redeems } from "./wire.js";

const CONFIG = { configurable: { thread_id: "t" } };
const BATCH = {
  actionRequests: [{ name: "delete", args: { path: "/tmp/a" }, description: "Cleans up" }],
  reviewConfigs: [{ actionName: "delete", allowedDecisions: ["approve", "edit", "reject"] }],
};

/** A graph that waits in one task, which was resumed so often before. */
function waiting(value: unknown, resumed = 0, response_schema?: unknown) {
  const tasks = value === undefined ? [] : [{ id: "task", interrupts: [{ id: "i", value, response_schema }] }];
  const writes = resumed > 0 ? [["task", "__resume__", Array(resumed).fill("x")] as const, ["other", "__resume__", ["y"]] as const] : [];
  return {
    getState: async () => ({ config: CONFIG, tasks }),
    checkpointer: { getTuple: async () => ({ pendingWrites: writes }) },
  };
}

async function answered(value: unknown, wire: Hold, allowed?: string[]): Promise<unknown> {
  const asked = allowed ? { ...BATCH, reviewConfigs: [{ actionName: "delete", allowedDecisions: allowed }] } : value;
  const { client: handrail } = client(json(201, wire), redeems(wire));
  return (await answerInterrupts(waiting(asked), CONFIG, { client: handrail }))?.["i"];
}

const action = (args: object = { path: "/tmp/a" }, name = "delete") => ({ action: { name, args: { ...args }, target: null } });
const APPROVED = hold("approved", action());
const AMENDED = hold("approved", { revision: 2, ...action({ path: "/tmp/c" }) });
const rejected = (reason: string | null) => {
  const wire = hold("rejected", action());
  return { ...wire, decision: wire.decision && { ...wire.decision, reason } };
};

test("a thread that asks nothing has no answers", async () => {
  assert.equal(await answerInterrupts(waiting(undefined), CONFIG, { client: client().client }), undefined);
});

test("calls of LangChain's middleware are approvals, and their decisions have its form", async () => {
  assert.deepEqual(await answered(BATCH, APPROVED), { decisions: [{ type: "approve" }] });
  const edit = (path: string) => ({ decisions: [{ type: "edit", editedAction: { name: "delete", args: { path } } }] });
  assert.deepEqual(await answered(BATCH, AMENDED), edit("/tmp/c"));
  assert.deepEqual(await answered(BATCH, APPROVED, ["edit"]), edit("/tmp/a"));
  assert.deepEqual(await answered(BATCH, rejected("needed")), { decisions: [{ type: "reject", message: "needed" }] });
  assert.deepEqual(await answered(BATCH, rejected(null)), { decisions: [{ type: "reject" }] });
  assert.deepEqual(await answered(BATCH, hold("expired", action())), { decisions: [{ type: "reject", message: "expired" }] });
});

test("an amendment that the graph does not take is a no, and a no that it does not take is no answer", async () => {
  const { decisions } = (await answered(BATCH, AMENDED, ["approve", "reject"])) as { decisions: { type: string }[] };
  assert.equal(decisions[0]?.type, "reject");
  await assert.rejects(answered(BATCH, rejected("no"), ["approve"]), NotAllowed);
});

test("an approval is at least medium, and redeemed with the same key after a crash", async () => {
  const keys: unknown[] = [];
  for (let n = 0; n < 2; n++) {
    const { client: handrail, sent } = client(json(201, APPROVED), redeems(APPROVED));
    await answerInterrupts(waiting(BATCH), CONFIG, { client: handrail });
    const { kind, title, task, case_id, description } = sent[0]?.body ?? {};
    assert.deepEqual([kind, title, task, case_id, description], ["approval", "Delete: path /tmp/a", { risk: "medium" }, "t", "Cleans up"]);
    keys.push([sent[0]?.headers["Idempotency-Key"], sent[1]?.body["key"]]);
  }
  assert.deepEqual(keys[0], keys[1]);
});

test("the same question, asked again by a node that was answered, has a hold of its own", async () => {
  const keys = new Set<string | undefined>();
  for (const resumed of [0, 1, 2]) {
    const wire = hold("answered");
    const { client: handrail, sent } = client(json(201, wire));
    await answerInterrupts(waiting("Which region?", resumed), CONFIG, { client: handrail });
    keys.add(sent[0]?.headers["Idempotency-Key"]);
  }
  assert.equal(keys.size, 3);
});

test("anything else is shown, and answered by its own schema; nobody's answer is no answer", async () => {
  const wire = hold("answered");
  const said = { ...wire, decision: wire.decision && { ...wire.decision, answer: "eu" } };
  const { client: handrail, sent } = client(json(201, said));
  const schema = { enum: ["eu", "us"] };
  const answers = await answerInterrupts(waiting({ question: "Which\u202e region?", n: 1 }, 0, schema), CONFIG, { client: handrail });
  assert.deepEqual(answers, { i: "eu" });
  const { kind, title, evidence, schema: shown } = sent[0]?.body ?? {};
  assert.deepEqual([kind, title, shown], ["input", "Which region?", schema]);
  assert.deepEqual(evidence, { value: { question: "Which\u202e region?", n: 1 } });
  await assert.rejects(answered("Which region?", hold("cancelled")), NotAllowed);
});

test("a thread needs its id", async () => {
  await assert.rejects(answerInterrupts(waiting("?"), {}, { client: client().client }), /thread_id/);
});
