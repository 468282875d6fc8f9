// Prints the routes that an application serves as [[method, path], …]. Usage: routes.cjs express|nestjs <entry file>
const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");
require("reflect-metadata");

const COMPILED = {
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ES2022,
  esModuleInterop: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
};
require.extensions[".ts"] = (module, file) =>
  module._compile(ts.transpileModule(fs.readFileSync(file, "utf8"), { compilerOptions: COMPILED, fileName: file }).outputText, file);

// Express 5 forgets the path that a router is mounted under, so it is noted at mounting.
const Router = require("router");
const mounted = new Map();
const use = Router.prototype.use;
Router.prototype.use = function (...given) {
  const prefix = typeof given[0] === "function" ? "" : given[0];
  for (const child of given.flat(Infinity).filter((item) => typeof item === "function")) {
    mounted.set(this, [...(mounted.get(this) ?? []), ...[prefix].flat().map((text) => [text, child])]);
  }
  return use.apply(this, given);
};
const application = require("express").application;
const mount = application.use;
application.use = function (...given) {
  const apps = given.flat(Infinity).filter((item) => item && item.handle && item.set);
  const prefixes = [given[0]].flat().filter((item) => typeof item === "string");
  for (const app of apps) mounted.set(this, [...(mounted.get(this) ?? []), ...prefixes.map((prefix) => [prefix, app])]);
  return mount.apply(this, given);
};

const join = (...parts) => "/" + parts.map((part) => part.replace(/^\/|\/$/g, "")).filter(Boolean).join("/");

function* walk(router, prefix) {
  for (const layer of (router.router ?? router).stack ?? []) {
    const methods = layer.route ? Object.keys(layer.route.methods) : [];
    for (const method of methods.length > 20 ? ["any"] : methods) {
      for (const own of [layer.route.path].flat()) yield [method.toUpperCase(), join(prefix, String(own))];
    }
  }
  for (const [own, child] of [...(mounted.get(router) ?? []), ...(router.router ? (mounted.get(router.router) ?? []) : [])]) {
    yield* walk(child, join(prefix, own));
  }
}

async function main() {
  const [framework, entry] = process.argv.slice(2);
  const loaded = require(path.resolve(entry));
  const app = framework === "nestjs" ? (await loaded.create()).getHttpAdapter().getInstance() : (loaded.default ?? loaded);
  console.log(JSON.stringify([...walk(app, "")]));
  process.exit(0);
}
main();
