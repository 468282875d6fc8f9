import assert from "node:assert/strict";
import { test } from "node:test";
import { gateTools, NotRun } from "../src/ai.js";
import { MayHaveRun, NotAllowed, type Handrail } from "../src/index.js";
import { AGENT, AT, client, hold, json, redeems } from "./wire.js";

const INPUT = { to: "ann@example.org" };
const asked = (args: object = INPUT) => ({ action: { name: "send", args: { ...args }, target: null } });
const done = () => json(200, hold("approved"));
const call = (toolCallId: string, input: object = INPUT) => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId, toolName: "send", input }],
});

function gated(handrail: Handrail, options: Parameters<typeof gateTools>[1] = {}) {
  const ran: unknown[] = [];
  const execute = async (input: { to: string }, _execution: { toolCallId: string; messages: object[] }) => (ran.push(input), `sent to ${input.to}`);
  return { tools: gateTools({ send: { description: "Sends", execute } }, { client: handrail, ...options }), ran };
}

/** The key that a call opens its hold with. */
async function keyOf(thread: string | undefined, messages: object[], tools?: number): Promise<string | undefined> {
  const wire = hold("approved", asked());
  const replies = () => [json(201, wire), redeems(wire), done()] as const;
  const { client: handrail, sent } = client(...Array.from({ length: tools ?? 1 }, replies).flat());
  const { send } = gated(handrail, thread === undefined ? {} : { thread }).tools;
  for (let n = 0; n < (tools ?? 1); n++) await send.execute(INPUT, { toolCallId: `call-${n}`, messages });
  return sent.at(-3)?.headers["Idempotency-Key"];
}

test("a call is an approval on its name and input, titled in plain words, in the case of its thread", async () => {
  const wire = hold("approved", asked());
  const { client: handrail, sent } = client(json(201, wire), redeems(wire), done());
  const { tools, ran } = gated(handrail, { thread: "t", task: (tool, input) => ({ tool, fields: Object.keys(input).length }) });
  assert.equal(await tools.send.execute(INPUT, { toolCallId: "1", messages: [] }), "sent to ann@example.org");
  const { kind, title, action, case_id, task } = sent[0]?.body ?? {};
  assert.deepEqual([kind, title, case_id, task], ["approval", "Send: to ann@example.org", "t", { tool: "send", fields: 1 }]);
  assert.deepEqual([action, ran], [{ name: "send", args: INPUT }, [INPUT]]);
  assert.equal(tools.send.description, "Sends");
});

test("a call is known by thread, tool, input and how often it was made before", async () => {
  const first = await keyOf("t", []);
  assert.equal(await keyOf("t", []), first, "a program that starts again");
  assert.notEqual(await keyOf("u", []), first, "another thread");
  assert.notEqual(await keyOf(undefined, []), await keyOf(undefined, []), "no thread");
  const second = await keyOf("t", [call("earlier")]);
  assert.notEqual(second, first, "the conversation had it before");
  assert.equal(await keyOf("t", [], 2), second, "made twice in one program, without its messages");
  assert.equal(await keyOf("t", [call("earlier", { to: "bob" }), call("call-0")]), first, "another input, and the call itself");
});

test("what is not approved does not run, and the model reads who said no and why", async () => {
  const wire = hold("rejected", asked());
  const no = { ...wire, decision: { ...wire.decision, reason: "not on a Friday" } };
  const { tools, ran } = gated(client(json(201, no)).client);
  await assert.rejects(async () => tools.send.execute(INPUT, { toolCallId: "1", messages: [] }), (error) => {
    assert(error instanceof NotRun);
    assert(error.cause instanceof NotAllowed);
    assert.equal(error.message, "`send` was not run. It was rejected by Ada. Do not try another way. Reason: not on a Friday");
    return true;
  });
  assert.deepEqual(ran, []);
});

test("what may have run does not run, unless the tool may run again", async () => {
  const begun = hold("approved", { redeemed: { by: AGENT, at: AT }, ...asked() });
  const { tools, ran } = gated(client(json(201, begun)).client, { thread: "t" });
  await assert.rejects(async () => tools.send.execute(INPUT, { toolCallId: "1", messages: [] }), (error) => error instanceof NotRun && error.cause instanceof MayHaveRun);
  assert.deepEqual(ran, []);

  const fresh = hold("approved", asked());
  const again = client(json(201, begun), json(201, fresh), redeems(fresh), done());
  await gated(again.client, { thread: "t", repeatable: ["send"] }).tools.send.execute(INPUT, { toolCallId: "1", messages: [] });
  assert.notEqual(again.sent[0]?.headers["Idempotency-Key"], again.sent[1]?.headers["Idempotency-Key"]);
});

test("an amended call runs as amended; the program gets the output, the model a word on what ran", async () => {
  const amended = hold("approved", { revision: 2, ...asked({ to: "bob@example.org" }) });
  const { client: handrail } = client(json(201, amended), redeems(amended), done());
  const { tools, ran } = gated(handrail);
  const output = await tools.send.execute(INPUT, { toolCallId: "1", messages: [] });
  assert.deepEqual([output, ran], ["sent to bob@example.org", [{ to: "bob@example.org" }]]);
  const made = (tools.send as unknown as { toModelOutput: (made: object) => Promise<unknown> }).toModelOutput;
  assert.deepEqual(await made({ toolCallId: "1", input: INPUT, output }), {
    type: "text",
    value: 'A person amended this call before it ran. It ran with {"to":"bob@example.org"}. Its result:\nsent to bob@example.org',
  });
  assert.deepEqual(await made({ toolCallId: "2", input: INPUT, output: { a: undefined, b: 1 } }), { type: "json", value: { b: 1 } });
});

test("a tool that runs elsewhere is refused", () => {
  assert.throws(() => gateTools({ search: { description: "at the provider" } }), /the tool 'search' has no `execute`/);
});
