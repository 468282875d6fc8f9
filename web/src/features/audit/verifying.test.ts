import { expect, test } from "vitest";
import recorded from "@/features/audit/recorded/log.json";
import { Verification, verifyStream, type Report } from "@/features/audit/verifying";

type Json = Record<string, unknown>;
const records = () => recorded.lines.map((line) => JSON.parse(line) as Json);
const isEntry = (seq: number) => (record: Json) => record["record"] === "entry" && record["seq"] === seq;

async function verified(of: Json[], keys: string[] = [recorded.key]): Promise<Report> {
  const verification = await Verification.with(keys);
  for (const record of of) await verification.take(JSON.stringify(record));
  return verification.report();
}

const wrongs = (report: Report) => report.faults.map((fault) => `${fault.wrong} ${fault.seq}`);

test("a log with erased and pruned entries and a new key is whole", async () => {
  const report = await verified(records());
  expect(report.faults).toEqual([]);
  expect(report).toMatchObject({ entries: 14, last: 14, sealed: 14, proven: 14, erased: 1, pruned: 2 });
  expect(report.keys).toHaveLength(2);
});

test("a changed field, changed data and a changed time are named", async () => {
  for (const [name, value, wrong] of [
    ["data", '{"outcome": "rejected"}', "changed 5"],
    ["actor_id", "somebody", "unlinked 5"],
    ["at", "2026-11-15T09:30:00.000126Z", "unlinked 5"],
    ["type", "hold.opened", "unlinked 5"],
  ] as const) {
    const changed = records();
    const entry = changed.find(isEntry(5));
    if (entry) entry[name] = value;
    const report = await verified(changed);
    expect(wrongs(report)).toContain(wrong);
    expect(report.proven).toBe(4);
  }
});

test("what is missing, moved, cut off or inserted is named", async () => {
  const whole = records();
  expect(wrongs(await verified(whole.filter((record) => !isEntry(6)(record))))).toContain("missing 6");
  expect(wrongs(await verified(whole.slice(0, -3)))).toContain("truncated 14");
  const at = whole.findIndex(isEntry(6));
  const swapped = whole.with(at, whole[at + 1] ?? {}).with(at + 1, whole[at] ?? {});
  expect((await verified(swapped)).proven).toBe(4);
  const twice = whole.toSpliced(at, 0, whole[at] ?? {});
  expect(wrongs(await verified(twice))).toContain("reordered 6");
});

test("a seal that was left out, changed or made by another key is named", async () => {
  const whole = records();
  const second = whole.findIndex((record) => record["record"] === "seal" && record["number"] === 2);
  expect(wrongs(await verified(whole.toSpliced(second, 1)))).toContain("seal_missing 4");
  const forged = whole.with(second, { ...whole[second], signature: "00".repeat(64) });
  expect(wrongs(await verified(forged))).toContain("bad_signature 4");
  const stranger = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
  expect(wrongs(await verified(whole, [stranger]))[0]).toBe("unknown_key 1");
  expect((await verified(whole, [stranger])).proven).toBe(0);
});

test("data that was emptied without a signed statement is named", async () => {
  const whole = records();
  const entry = whole.find(isEntry(6));
  if (entry) Object.assign(entry, { data: "{}", salt: null });
  expect(wrongs(await verified(whole))).toEqual(["erased 6"]);
  const erasure = records();
  const statement = erasure.find((record) => record["type"] === "audit.erased");
  if (statement) statement["data"] = String(statement["data"]).replace('"2"', '"3"');
  expect(wrongs(await verified(erasure))).toContain("bad_signature 9");
});

test("what is no record at all is named and nothing else breaks", async () => {
  const verification = await Verification.with([recorded.key]);
  for (const line of ["{", "null", "[]", '{"record":"entry"}', '{"record":"other"}']) await verification.take(line);
  expect(new Set(verification.report().faults.map((fault) => fault.wrong))).toEqual(new Set(["unreadable", "truncated"]));
});

test("a stream is read in pieces of any size and can be stopped", async () => {
  const whole = new TextEncoder().encode(recorded.lines.join("\n") + "\n");
  const pieces = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < whole.length; at += 97) controller.enqueue(whole.slice(at, at + 97));
        controller.close();
      },
    });
  const told: number[] = [];
  const report = await verifyStream(pieces(), [recorded.key], (soFar) => told.push(soFar.entries), new AbortController().signal);
  expect(report.faults).toEqual([]);
  expect(told.at(-1)).toBe(14);
  const stopped = new AbortController();
  stopped.abort();
  await expect(verifyStream(pieces(), [recorded.key], () => undefined, stopped.signal)).rejects.toThrow();
});
