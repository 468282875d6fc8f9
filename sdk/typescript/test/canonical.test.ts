import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { canonical, plain } from "../src/canonical.js";
import { digest, NotJson, type Action, type Json, type Kind } from "../src/index.js";

interface Vectors {
  digests: { name: string; question: { kind: Kind; title: string; action: Action | null }; canonical: string; digest: string }[];
  refused: { name: string; value: unknown; why: string }[];
}

// shared with the SDK for Python; this file runs from `build/test`
const file = new URL("../../../vectors.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8")) as Vectors;

for (const vector of vectors.digests) {
  test(`a shared vector has its canonical form and its digest: ${vector.name}`, async () => {
    const { kind, title, action, ...more } = vector.question;
    assert.equal(canonical(plain(action?.args ?? more)), vector.canonical);
    assert.equal(await digest(kind, title, action, more), vector.digest);
  });
}

for (const vector of vectors.refused) {
  test(`a shared vector that is not JSON is refused: ${vector.name}`, () => {
    assert.throws(() => plain(vector.value), refusal(vector.why));
  });
}

class Money {
  constructor(readonly amount: number) {}
}

const STRANGE: [unknown, string][] = [
  [{ when: new Date(0) }, "arg.when holds a Date"],
  [{ a: [1, undefined] }, "arg.a[1] holds undefined"],
  [new Array(1), "arg[0] holds undefined"],
  [{ run: () => 1 }, "arg.run holds a function"],
  [10n, "arg holds a bigint"],
  [Symbol("s"), "arg holds a symbol"],
  [[Number.NaN], "arg[0] is NaN"],
  [-Infinity, "arg is -Infinity"],
  [new Money(7), "arg holds a Money"],
  [new Map([["a", 1]]), "arg holds a Map"],
  [new Uint8Array(2), "arg holds a Uint8Array"],
  [Object.create({ inherited: 1 }), "arg holds a Object"],
  [Object("boxed"), "arg holds a String"],
  [undefined, "arg holds undefined"],
];

for (const [value, why] of STRANGE) {
  test(`what is not JSON is refused, and the message names the place: ${why}`, () => {
    assert.throws(() => plain(value, "arg"), refusal(why));
  });
}

test("a plain copy does not follow later changes", () => {
  const hosts = ["a"];
  const copy = plain({ hosts });
  hosts.push("b");
  assert.deepEqual(copy, { hosts: ["a"] });
});

test("a property named __proto__ stays a property, and changes no prototype", () => {
  const copy = plain(JSON.parse('{"__proto__": {"admin": true}}')) as { admin?: boolean };
  assert.deepEqual(Object.keys(copy), ["__proto__"]);
  assert.equal(copy.admin, undefined);
});

test("a getter is read once, so that what is shown is what runs", () => {
  let reads = 0;
  const trap = { get amount() { return ++reads; } };
  assert.deepEqual([plain(trap), reads], [{ amount: 1 }, 1]);
});

test("-0 runs as the 0 that people were shown", () => {
  assert(Object.is(plain(-0), 0));
});

test("properties that are undefined are left out, as in JSON", () => {
  assert.deepEqual(plain({ a: 1, b: undefined }), { a: 1 });
});

test("objects without a prototype are plain", () => {
  assert.deepEqual(plain(Object.assign(Object.create(null) as object, { a: 1 })), { a: 1 });
});

test("as many levels are taken as the server takes", () => {
  let value: Json = 1;
  for (let n = 0; n < 64; n++) value = [value];
  assert.deepEqual(plain(value), value);
});

test("a changed argument, name, target, title or kind changes the digest", async () => {
  const digests = await Promise.all([
    digest("approval", "t", { name: "a", args: { n: 1 } }),
    digest("approval", "t", { name: "a", args: { n: 2 } }),
    digest("approval", "t", { name: "b", args: { n: 1 } }),
    digest("approval", "t", { name: "a", args: { n: 1 }, target: "x" }),
    digest("approval", "u", { name: "a", args: { n: 1 } }),
    digest("confirmation", "t", { name: "a", args: { n: 1 } }),
  ]);
  assert.equal(new Set(digests).size, digests.length);
});

function refusal(why: string): (error: unknown) => boolean {
  return (error) => {
    assert(error instanceof NotJson);
    assert(error.message.includes(why), error.message);
    return true;
  };
}
