/** A graph that asks three times in one node, the last time as the middleware of LangChain does; its checkpoints are in a file. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { AIMessage } from "@langchain/core/messages";
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { answerInterrupts } from "handrail-sdk/langgraph";

const [thread, file] = process.argv.slice(2) as [string, string];

/** What is in memory, in a file: enough for one thread. */
class FileSaver extends MemorySaver {
  constructor() {
    super();
    if (existsSync(file)) Object.assign(this, JSON.parse(readFileSync(file, "utf8"), revive));
  }
  override async put(...args: Parameters<MemorySaver["put"]>) {
    const made = await super.put(...args);
    this.keep();
    return made;
  }
  override async putWrites(...args: Parameters<MemorySaver["putWrites"]>) {
    await super.putWrites(...args);
    this.keep();
  }
  keep() {
    writeFileSync(file, JSON.stringify({ storage: this.storage, writes: this.writes }, (_, value: unknown) => (value instanceof Uint8Array ? { bytes: [...value] } : value)));
  }
}
const revive = (_: string, value: { bytes?: number[] }) => (Array.isArray(value?.bytes) ? Uint8Array.from(value.bytes) : value);

const ask = () => {
  // the same question twice in one node: LangGraph gives both the same id
  const first = interrupt("Which region?") as string;
  const second = interrupt("Which region?") as string;
  const calls = interrupt({
    actionRequests: [{ name: "move_files", args: { path: "/tmp/a" } }, { name: "move_files", args: { path: "/tmp/b" } }],
    reviewConfigs: [{ actionName: "move_files", allowedDecisions: ["approve", "edit", "reject"] }],
  }) as unknown;
  return { messages: [new AIMessage(JSON.stringify([first, second, calls]))] };
};

const graph = new StateGraph(MessagesAnnotation)
  .addNode("ask", ask)
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile({ checkpointer: new FileSaver() });
const config = { configurable: { thread_id: thread } };

if (!existsSync(file)) await graph.invoke({ messages: [] }, config);
for (let resume; (resume = await answerInterrupts(graph, config)); ) await graph.invoke(new Command({ resume }), config);
console.log((await graph.getState(config)).values.messages.at(-1).text);
