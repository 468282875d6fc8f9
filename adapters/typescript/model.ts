/** A model of the AI SDK that asks for the calls of $CALLS, one after the other, and then repeats what it read of them. */

import { MockLanguageModelV4 } from "ai/test";

const calls = JSON.parse(process.env["CALLS"] ?? "[]") as [tool: string, input: object][];
const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
const usage = { inputTokens: tokens, outputTokens: tokens };

export const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const read = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
    const next = calls[read.length];
    if (next === undefined) {
      const text = JSON.stringify(read.map((part) => (part.type === "tool-result" ? part.output : part)));
      return { content: [{ type: "text", text }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] };
    }
    const [toolName, input] = next;
    // another program, another id
    const toolCallId = `${process.pid}-${read.length}`;
    return {
      content: [{ type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) }],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage,
      warnings: [],
    };
  },
});
