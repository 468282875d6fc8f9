// Names the builds for other platforms in package-lock.json, where the registry in use has only this platform's:
// npm does not write what it cannot find, and `npm ci` then refuses the lock file.
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url).pathname;
const lock = JSON.parse(readFileSync(file, "utf8"));
const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm64", "x64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32"];

for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${place}/node_modules/${name}`;
    if (lock.packages[nested] || lock.packages[`node_modules/${name}`]) continue;
    const parts = name.split(/[-/]/);
    const system = SYSTEMS.filter((each) => parts.includes(each));
    const processor = PROCESSORS.filter((each) => parts.includes(each));
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(processor.length ? { cpu: processor } : {}),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
      ...(system.length ? { os: system } : {}),
    };
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
