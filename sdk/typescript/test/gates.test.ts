import assert from "node:assert/strict";
import { test } from "node:test";
import * as sdk from "../src/index.js";
import { AGENT, AT, client, hold, json, lost, problem, redeems } from "./wire.js";

const { ActionChanged, AlreadyRan, digest, gate, MayHaveRun, NotAllowed, UnexpectedAnswer } = sdk;

interface Deployment {
  hosts: string[];
  version: string;
}
const A: Deployment = { hosts: ["a"], version: "1.0" };
const asked = (args: object = A) => ({ action: { name: "deploy", args: { ...args }, target: null } });
const done = () => json(200, hold("approved"));

/** A gated function, and what it ran with. */
function gated(handrail: sdk.Handrail, options: sdk.GateOptions<Deployment> = {}) {
  const ran: Deployment[] = [];
  const deploy = (args: Deployment) => (ran.push(args), `ran ${args.version}`);
  return { deploy: gate(deploy, { ...options, client: handrail }), ran };
}

test("people are shown the actual arguments", async () => {
  const wire = hold("approved", asked());
  const { client: handrail, sent } = client(json(201, wire), redeems(wire), done());
  const { deploy } = gated(handrail, {
    title: (args) => `Deploy ${args.version}`,
    target: (args) => args.hosts[0] ?? "",
    task: (args) => ({ hosts: args.hosts.length }),
    key: (args) => `deploy-${args.version}`,
    expiresIn: 60,
  });
  assert.equal(await deploy(A), "ran 1.0");
  const action = { name: "deploy", args: A, target: "a" };
  const wanted = await digest("approval", "Deploy 1.0", action);
  const { redeem, ...body } = sent[0]?.body ?? {};
  assert.equal((redeem as { digest: string }).digest, wanted);
  assert.deepEqual(body, { kind: "approval", title: "Deploy 1.0", action, task: { hosts: 1 }, expires_in: 60 });
  assert.equal(sent[0]?.headers["Idempotency-Key"], "deploy-1.0");
  assert.equal(sent[1]?.body["digest"], wanted);
  assert.deepEqual(sent[2]?.body, { outcome: "succeeded" });
});

test("without a key none is invented", async () => {
  const wire = hold("approved", asked());
  const { client: handrail, sent } = client(json(201, wire), redeems(wire), done());
  await gated(handrail).deploy(A);
  assert.equal(sent[0]?.headers["Idempotency-Key"], undefined);
});

test("an argument that was changed while waiting is caught, and nothing runs", async () => {
  const args = structuredClone(A);
  const wire = hold("approved", asked());
  const { client: handrail, sent } = client(
    json(201, hold("pending", asked())),
    () => (args.hosts.push("production"), json(200, wire)),
    problem(409, "stale_digest"),
    json(200, wire),
  );
  const { deploy, ran } = gated(handrail);
  await assert.rejects(deploy(args), ActionChanged);
  assert.deepEqual(ran, []);
  assert.equal(sent[2]?.body["digest"], await digest("approval", "deploy", { name: "deploy", args }));
});

test("what runs is a copy that nobody can change after it was redeemed", async () => {
  const args = structuredClone(A);
  const wire = hold("approved", asked());
  const { client: handrail } = client(json(201, wire), (sent) => (args.hosts.push("b"), (redeems(wire) as (s: typeof sent) => Response)(sent)), done());
  const { deploy, ran } = gated(handrail);
  await deploy(args);
  assert.deepEqual(ran, [A]);
});

test("amended arguments are what runs", async () => {
  const amended = hold("approved", { revision: 2, ...asked({ hosts: ["b"], version: "1.1" }) });
  const { client: handrail, sent } = client(json(201, amended), redeems(amended), done());
  const { deploy, ran } = gated(handrail);
  assert.equal(await deploy(A), "ran 1.1");
  assert.deepEqual(ran, [{ hosts: ["b"], version: "1.1" }]);
  assert.equal(sent[1]?.body["digest"], await digest("approval", "deploy", asked({ hosts: ["b"], version: "1.1" }).action));
});

for (const [odd, args] of [["a missing one", { hosts: ["a"] }], ["an added one", { ...A, force: true }], ["__proto__", JSON.parse('{"hosts":["a"],"version":"1","__proto__":{"force":true}}') as object]] as const) {
  test(`an amendment that the function cannot take does not run: ${odd}`, async () => {
    const { client: handrail, sent } = client(json(201, hold("approved", { revision: 2, action: { name: "deploy", args: args as never, target: null } })));
    const { deploy, ran } = gated(handrail);
    await assert.rejects(deploy(A), ActionChanged);
    assert.deepEqual([ran, sent.length], [[], 1]);
  });
}

test("an amendment to another action or target does not run", async () => {
  for (const changed of [{ name: "destroy" }, { target: "bank" }]) {
    const amended = hold("approved", { revision: 2, action: { ...asked().action, ...changed } });
    const { client: handrail } = client(json(201, amended), problem(409, "stale_digest"), json(200, amended));
    const { deploy, ran } = gated(handrail);
    await assert.rejects(deploy(A), ActionChanged);
    assert.deepEqual(ran, []);
  }
});

test("a server that says it redeemed another action is not believed", async () => {
  const wire = hold("approved", asked());
  const lie = { hold_id: wire.id, digest: "f".repeat(64), revision: 1, action: wire.action, redeemed_at: AT };
  const { client: handrail } = client(json(201, wire), json(200, lie));
  const { deploy, ran } = gated(handrail);
  await assert.rejects(deploy(A), UnexpectedAnswer);
  assert.deepEqual(ran, []);
});

test("an approval amended meanwhile is looked at again", async () => {
  const amended = hold("approved", { revision: 2, ...asked({ hosts: ["b"], version: "2" }) });
  const { client: handrail } = client(json(201, hold("approved", asked())), problem(409, "stale_digest"), json(200, amended), redeems(amended), done());
  assert.equal(await gated(handrail).deploy(A), "ran 2");
});

for (const code of ["not_approved", "approval_void"]) {
  test(`an approval that is gone is waited for again: ${code}`, async () => {
    const wire = hold("approved", asked());
    const { client: handrail, sent } = client(json(201, wire), problem(409, code), json(200, hold("pending", asked())), json(200, wire), redeems(wire), done());
    await gated(handrail).deploy(A);
    assert.deepEqual(sent.map((one) => one.path.split("/").at(-1)), ["holds", "redeem", wire.id, "wait", "redeem", "result"]);
    assert.deepEqual(sent[1]?.body, sent[4]?.body);
  });
}

for (const status of ["rejected", "expired", "cancelled", "answered"] as const) {
  test(`anything but an approval is a no that carries the reason: ${status}`, async () => {
    const wire = hold(status, asked());
    const no = { ...wire, decision: { ...wire.decision, reason: "not on a Friday" } };
    const { deploy, ran } = gated(client(json(201, no)).client);
    await assert.rejects(deploy(A), (error) => {
      assert(error instanceof NotAllowed);
      assert.deepEqual([error.reason, error.hold.status, error.decision?.by?.name], ["not on a Friday", status, "Ada"]);
      assert.equal(error.message, `'deploy' was ${status}: not on a Friday`);
      return true;
    });
    assert.deepEqual(ran, []);
  });
}

const BEGUN = hold("approved", { redeemed: { by: AGENT, at: AT }, ...asked() });
const DONE = { ...BEGUN, result: { outcome: "failed" as const, at: AT, detail: null } };

for (const idempotent of [true, false]) {
  test(`what ran does not run again, ${idempotent ? "idempotent" : "once"}`, async () => {
    const { deploy, ran } = gated(client(json(201, DONE)).client, { key: () => "k", idempotent });
    await assert.rejects(deploy(A), (error) => error instanceof AlreadyRan && error.result?.outcome === "failed");
    assert.deepEqual(ran, []);
  });

  test(`the attempt that comes second does not run, ${idempotent ? "idempotent" : "once"}`, async () => {
    const replies = [json(201, hold("approved", asked())), problem(409, "already_redeemed"), json(200, BEGUN)];
    const { deploy, ran } = gated(client(...replies).client, { key: () => "k", idempotent });
    await assert.rejects(deploy(A), MayHaveRun);
    assert.deepEqual(ran, []);
  });
}

test("what may have run does not run again", async () => {
  const { deploy, ran } = gated(client(json(201, BEGUN)).client, { key: () => "k" });
  await assert.rejects(deploy(A), (error) => error instanceof MayHaveRun && !(error instanceof AlreadyRan));
  assert.deepEqual(ran, []);
});

test("what may run twice is redeemed with the same key again, and as Python makes it", async () => {
  const { client: handrail, sent } = client(json(201, BEGUN), redeems(BEGUN), done());
  await gated(handrail, { key: () => "k", idempotent: true }).deploy(A);
  // hashlib.sha256(b"redeem k").hexdigest()
  assert.equal(sent[1]?.body["key"], "f695e906b761d2d35c0c7ef1b271955f592bccbc21e4befcceda5e78fc505179");
});

test("two attempts with one key cannot both redeem", async () => {
  const keys = await Promise.all(
    [1, 2].map(async () => {
      const wire = hold("approved", asked());
      const { client: handrail, sent } = client(json(201, wire), redeems(wire), done());
      await gated(handrail, { key: () => "k" }).deploy(A);
      return sent[1]?.body["key"];
    }),
  );
  assert.notEqual(keys[0], keys[1]);
});

test("a failure is recorded by its type alone, and thrown as it is", async () => {
  class PermissionError extends Error {
    override name = "PermissionError";
  }
  for (const [thrown, type] of [[new PermissionError("password hunter2"), "PermissionError"], [new TypeError("x"), "TypeError"], ["hunter2", "string"], [Object.assign(new Error(), { name: "my password is hunter2" }), "Error"]] as const) {
    const wire = hold("approved", { action: { name: "read", args: {}, target: null } });
    const { client: handrail, sent } = client(json(201, wire), redeems(wire), done());
    const read = gate(() => { throw thrown; }, { name: "read", client: handrail });
    await assert.rejects(read({}), (error) => error === thrown);
    assert.deepEqual(sent[2]?.body, { outcome: "failed", detail: { error: type } });
  }
});

test("a result that cannot be recorded keeps nothing from the caller", async () => {
  const wire = hold("approved", asked());
  const { client: handrail, said } = client(json(201, wire), redeems(wire), problem(404, "not_found"));
  assert.equal(await gated(handrail).deploy(A), "ran 1.0");
  assert.match(said[0] ?? "", /could not be recorded: problem not_found/);
});

test("a call aborted while it waits does not run; one aborted while it runs leaves no result", async () => {
  const controller = new AbortController();
  const waits = client(json(201, hold("pending", asked())), () => (controller.abort(), json(200, hold("pending", asked()))));
  const { deploy, ran } = gated(waits.client);
  await assert.rejects(deploy(A, { signal: controller.signal }), { name: "AbortError" });
  assert.deepEqual(ran, []);

  const other = new AbortController();
  const wire = hold("approved", { action: { name: "act", args: {}, target: null } });
  const runs = client(json(201, wire), redeems(wire));
  const act = gate((_: object, call: sdk.Call) => (other.abort(), call.signal?.throwIfAborted()), { name: "act", client: runs.client });
  await assert.rejects(act({}, { signal: other.signal }), { name: "AbortError" });
  assert.equal(runs.sent.length, 2);
});

test("a redemption whose answer was lost is sent again with the same key", async () => {
  const wire = hold("approved", asked());
  const { client: handrail, sent } = client(json(201, wire), lost("ECONNRESET"), redeems(wire), done());
  await gated(handrail).deploy(A);
  assert.deepEqual(sent[1]?.body, sent[2]?.body);
});

test("the target may be an argument, which must then be there", async () => {
  const wire = hold("approved", asked());
  const { client: handrail, sent } = client(json(201, wire), redeems(wire), done());
  await gated(handrail, { target: "version" }).deploy(A);
  assert.equal((sent[0]?.body["action"] as { target: string } | undefined)?.target, "1.0");
  await assert.rejects(gated(client().client, { target: "version" }).deploy({ hosts: [] } as never), TypeError);
});

/** A schema as zod and others make it: fills in a version. */
const INPUT: sdk.Standard<Deployment> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => {
      const { hosts, version = "9.9" } = value as Partial<Deployment>;
      return Array.isArray(hosts) ? { value: { hosts, version } } : { issues: [{ message: "is required", path: ["hosts"] }] };
    },
  },
};

test("a schema fills in defaults before people are shown the call, and refuses what does not fit", async () => {
  const wire = hold("approved", asked({ hosts: ["a"], version: "9.9" }));
  const { client: handrail, sent } = client(json(201, wire), redeems(wire), done());
  const { deploy } = gated(handrail, { input: INPUT });
  assert.equal(await deploy({ hosts: ["a"] } as Deployment), "ran 9.9");
  assert.deepEqual((sent[0]?.body["action"] as { args: object } | undefined)?.args, { hosts: ["a"], version: "9.9" });
  await assert.rejects(deploy({ version: "1" } as Deployment), { name: "TypeError", message: "deploy() was called wrongly: hosts: is required" });
});

test("a schema decides which amendments fit, and what was approved runs as it is", async () => {
  const fits = hold("approved", { revision: 2, ...asked({ hosts: [] }) });
  const { client: handrail } = client(json(201, fits), redeems(fits), done());
  const first = gated(handrail, { input: INPUT });
  await first.deploy(A);
  assert.deepEqual(first.ran, [{ hosts: [] }]);

  const odd = hold("approved", { revision: 2, ...asked({ version: "2" }) });
  await assert.rejects(gated(client(json(201, odd)).client, { input: INPUT }).deploy(A), ActionChanged);
});

test("what cannot be gated is refused at once", () => {
  assert.throws(() => gate(async function* acting() { yield 1; }), /generator/);
  assert.throws(() => gate(() => 1), /no name/);
  assert.throws(() => gate(((a: object, b: object, c: object) => [a, b, c]) as never, { name: "three" }), /3 parameters/);
});

test("arguments that are not one object of JSON are named", async () => {
  const { deploy } = gated(client().client);
  await assert.rejects(deploy("prod" as never), /the arguments of deploy\(\) is a string instead of an object/);
  await assert.rejects(deploy({ hosts: [new Date()] } as never), /the arguments of deploy\(\)\.hosts\[0\] holds a Date/);
});

test("a low call is opened and used by one request", async () => {
  const { client: handrail, sent } = client(
    (one) => {
      const { digest: wanted } = one.body["redeem"] as { digest: string };
      return json(201, hold("approved", { ...asked(), digest: wanted, redeemed: { by: AGENT, at: AT } }));
    },
    done(),
  );
  const { deploy, ran } = gated(handrail);
  assert.equal(await deploy(A), "ran 1.0");
  assert.deepEqual(ran, [A]);
  assert.deepEqual(sent.map((one) => one.path), ["/api/holds", `/api/holds/${hold().id}/result`]);
});

test("what was used under another key does not run", async () => {
  const begun = hold("approved", { ...asked(), redeemed: { by: AGENT, at: AT } });
  const { client: handrail } = client(problem(409, "already_redeemed", { hold_id: begun.id }), json(200, begun));
  const { deploy, ran } = gated(handrail, { key: () => "k" });
  await assert.rejects(deploy(A), MayHaveRun);
  assert.deepEqual(ran, []);
});

test("what always asks is not used while it opens", async () => {
  const wire = hold("approved", asked());
  const { client: handrail, sent } = client(json(201, wire), redeems(wire), done());
  await gated(handrail, { kind: "confirmation" }).deploy(A);
  assert.equal(sent[0]?.body["redeem"], undefined);
});
