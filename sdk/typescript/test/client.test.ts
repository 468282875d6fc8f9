import assert from "node:assert/strict";
import { inspect } from "node:util";
import { test } from "node:test";
import * as sdk from "../src/index.js";
import { retryAfter } from "../src/problems.js";
import { backoff } from "../src/retries.js";
import { ADA, AGENT, AT, client, hold, HOLD_ID, json, lost, problem } from "./wire.js";

const ACTION = { name: "deploy", args: { n: 1 } };
const NOW = { "Retry-After": "0" };

test("a request carries token, key and body", async () => {
  const { client: handrail, sent } = client(json(201, hold()));
  const opened = await handrail.open("approval", "Déploy €", ACTION, { caseId: "c", expiresIn: 60, idempotencyKey: "k" });
  assert.equal(opened.id, HOLD_ID);
  const [request] = sent;
  assert.deepEqual([request?.method, request?.path], ["POST", "/api/holds"]);
  assert.deepEqual(request?.headers, { Authorization: "Bearer hr_test", "Content-Type": "application/json", "Idempotency-Key": "k" });
  const action = { name: "deploy", args: { n: 1 } };
  assert.deepEqual(request.body, { kind: "approval", title: "Déploy €", action, case_id: "c", expires_in: 60 });
});

for (const fault of [lost("ECONNRESET"), lost("ECONNREFUSED"), new Response("oops", { status: 500 }), problem(503, "unavailable", {}, NOW), problem(429, "rate_limited", {}, NOW), json(200, hold())]) {
  test(`waiting continues after a fault that passes: ${fault instanceof Error ? (fault.cause as Error).message : fault.status}`, async () => {
    const { client: handrail, sent } = client(fault, json(200, hold("approved")));
    assert.equal((await handrail.wait(HOLD_ID)).status, "approved");
    assert.equal(sent.length, 2);
    assert.equal(sent[0]?.query.get("timeout"), "30");
  });
}

test("opening without a key is sent once if the answer was lost", async () => {
  const { client: handrail, sent } = client(lost("ECONNRESET"), json(201, hold()));
  await assert.rejects(handrail.open("approval", "t", ACTION), (error) => {
    assert(error instanceof sdk.Unavailable);
    assert(error.mayHaveHappened);
    assert.match(error.message, /may have been carried out/);
    return true;
  });
  assert.equal(sent.length, 1);
});

for (const code of ["ECONNREFUSED", "ENOTFOUND", "DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_TLS_CERT_ALTNAME_INVALID"]) {
  test(`opening without a key is sent again if nothing reached the server: ${code}`, async () => {
    const { client: handrail, sent, said } = client(lost(code), json(201, hold()));
    await handrail.open("approval", "t", ACTION);
    assert.equal(sent.length, 2);
    assert.match(said[0] ?? "", new RegExp(`no answer to POST http://handrail.test \\(${code}: .*is it running\\?; trying again in 0`));
  });
}

test("opening with a key is repeated until an answer comes", async () => {
  const { client: handrail, sent } = client(lost("ECONNRESET"), new Response("", { status: 502 }), json(201, hold()));
  await handrail.open("approval", "t", ACTION, { idempotencyKey: "k" });
  assert.equal(sent.length, 3);
});

test("a refusal is an error of its kind, with the server's code and words", async () => {
  const refusals: [Response, new (...args: never[]) => sdk.HandrailError, string][] = [
    [problem(401, "invalid_token"), sdk.Unauthenticated, "invalid_token"],
    [problem(403, "not_a_person"), sdk.Forbidden, "not_a_person"],
    [problem(404, "not_found"), sdk.NotFound, "not_found"],
    [problem(409, "idempotency_conflict"), sdk.IdempotencyConflict, "idempotency_conflict"],
    [problem(409, "surprise"), sdk.Conflict, "surprise"],
    [problem(422, "digest_required"), sdk.DigestRequired, "digest_required"],
    [problem(423, "braked"), sdk.Invalid, "braked"],
    [new Response("<html>", { status: 400 }), sdk.Invalid, "invalid"],
    [new Response(null, { status: 302 }), sdk.UnexpectedAnswer, "unexpected_answer"],
  ];
  for (const [answer, kind, code] of refusals) {
    await assert.rejects(client(answer).client.get(HOLD_ID), (error) => {
      assert(error instanceof kind, String(error));
      assert.deepEqual([error.code, error.name], [code, kind.name]);
      return true;
    });
  }
});

test("whoever comes second learns who decided, and when", async () => {
  const late = problem(409, "already_decided", { outcome: "rejected", decided_by: ADA, decided_at: AT });
  await assert.rejects(client(late).client.review(HOLD_ID, "approve", { digest: "0" }), (error) => {
    assert(error instanceof sdk.AlreadyDecided);
    assert.deepEqual([error.outcome, error.decidedBy?.name, error.decidedAt], ["rejected", "Ada", AT]);
    return true;
  });
});

for (const [odd, why] of [
  [{}, /lacks `id`/],
  [{ ...hold(), revision: "2" }, /answer\.revision is a string/],
  [{ ...hold(), action: { name: "x", args: [], target: null } }, /answer\.action\.args is a list/],
  [[], /is a list instead of an object/],
  ["yes", /is a string instead of an object/],
] as const) {
  test(`an answer that is not Handrail's is refused: ${why.source}`, async () => {
    await assert.rejects(client(json(200, odd)).client.get(HOLD_ID), (error) => {
      assert(error instanceof sdk.UnexpectedAnswer);
      assert.match(error.message, why);
      return true;
    });
  });
}

test("after the timeout the hold comes back still pending", async () => {
  const { client: handrail, sent } = client(json(200, hold()));
  assert.equal((await handrail.wait(HOLD_ID, { timeout: 0 })).status, "pending");
  assert.equal(sent[0]?.query.get("timeout"), "0");
});

test("an abort ends the waiting with its own reason, at once, and sends nothing more", async () => {
  const reason = new Error("enough");
  const controller = new AbortController();
  const { client: handrail, sent } = client(() => {
    controller.abort(reason);
    return problem(503, "unavailable", {}, { "Retry-After": "3600" });
  });
  await assert.rejects(handrail.wait(HOLD_ID, { signal: controller.signal }), reason);
  await assert.rejects(handrail.get(HOLD_ID, { signal: controller.signal }), reason);
  assert.equal(sent.length, 1);
});

test("questions are passed on once each and in order, without those that have a reply", async () => {
  const say = (id: number, text: string, by: object = ADA, reply_to: number | null = null) => ({ id, by, at: AT, text, reply_to });
  const comments = [say(1, "old?"), say(2, "answered", AGENT, 1), say(3, "which?"), say(4, "remark")];
  const { client: handrail, sent } = client(
    json(200, hold()),
    json(200, { comments }),
    json(201, say(5, "this one", AGENT, 3)),
    json(200, hold("approved")),
    json(200, { comments: [] }),
  );
  const heard: string[] = [];
  await handrail.wait(HOLD_ID, { onComment: (one) => (heard.push(one.text), one.id === 3 ? "this one" : null) });
  assert.deepEqual(heard, ["which?", "remark"]);
  assert.deepEqual(sent[2]?.body, { text: "this one", reply_to: 3 });
  assert.deepEqual([sent[0]?.query.get("comments_after"), sent[3]?.query.get("comments_after")], ["0", "4"]);
});

for (const key of ["", " k", "k ", "ü", "a\nb"]) {
  test(`an idempotency key that a header cannot carry is refused: ${JSON.stringify(key)}`, async () => {
    await assert.rejects(client().client.open("input", "t", null, { idempotencyKey: key }), sdk.Invalid);
  });
}

for (const id of ["..", "../people", "a/b", "a?b", ""]) {
  test(`what is no id of a hold leads nowhere: ${JSON.stringify(id)}`, async () => {
    await assert.rejects(client().client.get(id), sdk.Invalid);
  });
}

for (const url of ["localhost:8400", "ftp://x", "http://", "handrail", "/api"]) {
  test(`an address that is none is named: ${url}`, () => {
    assert.throws(() => new sdk.Handrail({ url, token: "hr_x" }), (error) => {
      assert(error instanceof sdk.Misconfigured);
      assert(error.message.includes(url));
      return true;
    });
  });
}

test("a password in the address is refused and not shown", () => {
  assert.throws(() => new sdk.Handrail({ url: "http://ada:hunter2@h", token: "hr_x" }), (error) => {
    assert(error instanceof sdk.Misconfigured);
    assert(!error.message.includes("hunter2"));
    return true;
  });
});

for (const token of ["hr_a\nX-Evil: 1", "hr_ü", " hr_a", ""]) {
  test(`a malformed token is refused and not shown: ${JSON.stringify(token)}`, () => {
    assert.throws(() => new sdk.Handrail({ token }), (error) => {
      assert(error instanceof sdk.Misconfigured);
      assert(token === "" || !error.message.includes(token));
      return true;
    });
  });
}

test("the token does not show", () => {
  const shown = inspect(new sdk.Handrail({ url: "http://h/", token: "hr_secret" }), { depth: 9, showHidden: true });
  assert(!shown.includes("hr_secret"));
  assert(shown.includes("http://h"));
});

test("pauses grow to a limit and differ by chance", () => {
  for (let attempt = 0; attempt < 12; attempt++) {
    const whole = Math.min(5, 0.2 * 2 ** attempt);
    const pauses = Array.from({ length: 50 }, () => backoff(attempt));
    assert(pauses.every((seconds) => seconds >= whole / 2 && seconds <= whole));
    assert(new Set(pauses).size > 1);
  }
});

test("retry-after is a number of seconds, or a date", () => {
  const after = (value: string) => retryAfter({ status: 503, text: "", headers: new Headers({ "Retry-After": value }) });
  assert.deepEqual(["3", "0.5", "-1", "soon", "nan", ""].map(after), [3, 0.5, 0, undefined, undefined, undefined]);
  const seconds = after(new Date(Date.now() + 90_000).toUTCString()) ?? 0;
  assert(seconds > 85 && seconds < 91);
});
