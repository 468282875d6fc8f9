// The stock JavaScript client. It does what the lines of its input say, and tells what it hears, line by line.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { io } = createRequire(process.argv[2])("socket.io-client");
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
let socket;

const does = {
  connect({ url, auth, headers, transports, reconnects }) {
    const seen = {};
    socket = io(url, {
      path: "/ws/chat",
      auth: (give) => give({ ...auth, ...seen }),
      extraHeaders: headers,
      reconnection: reconnects,
      reconnectionDelay: 50,
      ...(transports && { transports }),
    });
    socket.on("connect", () => tell({ event: "connect", data: {} }));
    socket.on("connect_error", ({ message, data }) => tell({ event: "connect_error", data: { message, ...data } }));
    socket.on("disconnect", (reason) => tell({ event: "disconnect", data: { reason } }));
    socket.onAny((event, data) => {
      if (event === "agent_update") Object.assign(seen, { session_id: data.session_id, after: data.seq });
      tell({ event, data });
    });
  },
  say({ id, event, data }) {
    socket.emit(event, data, (ack) => tell({ ack: id, data: ack }));
  },
  leave() {
    socket.disconnect();
    process.exit(0);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, ...given } = JSON.parse(line);
  does[what](given);
}
