/** A LangChain agent whose calls of one tool people decide, by the middleware that comes with it. */

import { appendFileSync } from "node:fs";
import { Command, MemorySaver } from "@langchain/langgraph";
import { answerInterrupts } from "handrail-sdk/langgraph";
import { createAgent, FakeToolCallingModel, humanInTheLoopMiddleware, tool } from "langchain";
import { z } from "zod";

const [thread, file] = process.argv.slice(2) as [string, string];

const move = tool(({ path }) => (appendFileSync(file, `moved ${path}\n`), `moved ${path}`), {
  name: "move_files",
  description: "Moves files",
  schema: z.object({ path: z.string() }),
});
const agent = createAgent({
  model: new FakeToolCallingModel({ toolCalls: [[{ name: "move_files", args: { path: "/tmp/a" }, id: "1" }], []] }),
  tools: [move],
  middleware: [humanInTheLoopMiddleware({ interruptOn: { move_files: true } })],
  checkpointer: new MemorySaver(),
});
const config = { configurable: { thread_id: thread } };

let state = await agent.invoke({ messages: "Tidy up." }, config);
for (let resume; (resume = await answerInterrupts(agent.graph, config)); ) {
  state = await agent.invoke(new Command({ resume }), config);
}
console.log(JSON.stringify(state.messages.filter((message) => message.type === "tool").map((message) => message.text)));
