/** An agent of the AI SDK whose tools leave traces in a file: one that reads, one that sends, one that shows how far it is. */

import { appendFileSync } from "node:fs";
import { generateText, stepCountIs, tool } from "ai";
import { Handrail } from "handrail-sdk";
import { gateTools } from "handrail-sdk/ai";
import { z } from "zod";
import { model } from "./model.js";

const [thread, file, ...repeatable] = process.argv.slice(2) as [string, string];
const left = (line: string) => appendFileSync(file, `${line}\n`);

const tools = gateTools(
  {
    read: tool({ inputSchema: z.object({ path: z.string() }), execute: ({ path }) => (left(`read ${path}`), `the text of ${path}`) }),
    send_email: tool({
      inputSchema: z.object({ to: z.string(), copies: z.number().int().default(1) }),
      execute: ({ to, copies }) => (left(`sent to ${to}, ${copies}`), { sent: to }),
    }),
    copy_files: tool({
      inputSchema: z.object({ count: z.number() }),
      execute: async function* ({ count }) {
        for (let n = 1; n <= count; n++) {
          left(`copied ${n}`);
          yield `${n} of ${count}`;
        }
      },
    }),
  },
  {
    thread,
    repeatable,
    client: new Handrail({ retryFor: 1 }),
    ...(process.env["EXPIRES_IN"] ? { expiresIn: Number(process.env["EXPIRES_IN"]) } : {}),
  },
);
const { text } = await generateText({ model, tools, prompt: "Do it.", stopWhen: stepCountIs(9) });
console.log(text);
