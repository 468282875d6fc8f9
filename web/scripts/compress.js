// Writes a compressed twin of every built text file, for the server to send where a browser takes it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const folder = new URL("../../src/handrail/web", import.meta.url).pathname;
for (const entry of readdirSync(folder, { recursive: true })) {
  if (/\.(js|css|html|svg)$/.test(entry)) {
    const file = join(folder, entry);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  }
}
