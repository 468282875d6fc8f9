// Many stock clients in one process: says `ready` once all have heard something, and on `done` when each message arrived.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [modules, url, path, asked] = process.argv.slice(2);
const { io } = createRequire(modules)("socket.io-client");
const arrived = {};
const marks = JSON.parse(asked).map(
  (auth) =>
    new Promise((there) => {
      const socket = io(url, { path, auth, transports: ["websocket"], forceNew: true });
      socket.on("connect_error", (error) => console.error(error.message));
      socket.on("agent_update", ({ data }) => {
        there();
        const at = performance.timeOrigin + performance.now();
        if (/^e\d+e$/.test(data.message)) (arrived[data.message] ??= []).push(at);
      });
    }),
);
await Promise.all(marks);
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "count") console.log(Object.values(arrived).reduce((sum, each) => sum + each.length, 0));
  if (line === "done") process.stdout.write(`${JSON.stringify(arrived)}\n`, () => process.exit(0));
}
