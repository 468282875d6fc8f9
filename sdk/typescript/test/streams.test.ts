import assert from "node:assert/strict";
import { test } from "node:test";
import { UnexpectedAnswer, type Event } from "../src/index.js";
import { Parser } from "../src/sse.js";
import { AT, client, lost } from "./wire.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const event = (seq: number) => `id: ${seq}\nevent: hold.opened\ndata: ${JSON.stringify({ seq, type: "hold.opened", at: AT })}\n\n`;
const stream = (text: string) => new Response(text, { headers: { "Content-Type": "text/event-stream" } });

test("messages come whole, wherever the bytes are cut", () => {
  const whole = bytes("\ufeffid: 7\r\ndata: a€\r\ndata:b\r\n\r\n: beat\rdata: c\r\rid: 8\n\ndata: lost");
  for (let size = 1; size <= whole.length; size++) {
    const parser = new Parser("6");
    const found: string[] = [];
    for (let at = 0; at < whole.length; at += size) found.push(...parser.feed(whole.slice(at, at + size)));
    assert.deepEqual([found, parser.lastId], [["a€\nb", "c"], "8"], `in pieces of ${size}`);
  }
});

async function take(events: AsyncIterable<Event>, count: number): Promise<number[]> {
  const found: number[] = [];
  for await (const one of events) if (found.push(one.seq) === count) break;
  return found;
}

test("after a lost connection it continues with the next event", async () => {
  const { client: handrail, sent } = client(stream(event(4) + event(5)), lost("ECONNREFUSED"), stream(event(6)));
  assert.deepEqual(await take(handrail.events({ hold: "h", after: 3 }), 3), [4, 5, 6]);
  assert.deepEqual(sent.map((one) => one.headers["Last-Event-ID"]), ["3", "5", "5"]);
  assert.equal(sent[0]?.query.get("hold"), "h");
});

test("what is no stream of events is refused, and so are events that are not JSON", async () => {
  for (const answer of [new Response("hi", { headers: { "Content-Type": "text/html" } }), stream("data: {\n\n")]) {
    await assert.rejects(take(client(answer).client.events(), 1), UnexpectedAnswer);
  }
});
