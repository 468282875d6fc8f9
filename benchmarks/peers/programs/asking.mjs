// A service of Restate that asks one question, and tells the benchmark how to answer it.
import { createServer } from "node:http";
import * as restate from "@restatedev/restate-sdk";

const asked = new Map();

const asking = restate.service({
  name: "asking",
  handlers: {
    ask: async (ctx) => {
      const { id, promise } = ctx.awakeable();
      asked.set(ctx.request().id, id);
      await promise;
      // microseconds of the machine's monotonic clock
      return Number(process.hrtime.bigint() / 1000n);
    },
  },
});

restate.serve({ services: [asking], port: Number(process.env.SERVICE_PORT) });
createServer((request, response) => {
  response.end(asked.get(request.url.split("/").at(-1)) ?? "");
}).listen(Number(process.env.ASKED_PORT), "127.0.0.1");
