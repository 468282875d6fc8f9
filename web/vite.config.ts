import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = process.env["HANDRAIL_URL"] ?? "http://127.0.0.1:8400";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  logLevel: process.env["VITEST"] ? "info" : "warn",
  resolve: {
    alias: {
      "@": here("./src"),
      // only the form library's own test code imports it; our pages validate without compiling code
      "@rjsf/validator-ajv8": here("./src/components/schema-validator.ts"),
    },
  },
  build: {
    // beside the server's own code, so that one package holds both
    outDir: "../src/handrail/web",
    emptyOutDir: true,
    manifest: true,
    // an inlined font or picture would need a wider content security policy
    assetsInlineLimit: 0,
    // what most pages have in common is one file: forty small ones are larger together, and each is a request;
    // menus, a sixth of all script, come when a page stands
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "common", test: /src\/(lib|components)\/(?!ui\/menu)/, minShareCount: 6 }] } } },
  },
  // a worker that loads a language when it needs one
  worker: { format: "es" },
  server: { proxy: { "/api": server, "/health": server, "/ws": { target: server, ws: true } } },
  // tests of components ask for jsdom by themselves: the others are ten times faster without
  // files share their modules and their page, and clean up after each test: a quarter of the processor time
  // the form library goes through the aliases above, as in the build
  test: { include: ["src/**/*.test.{ts,tsx}"], setupFiles: ["src/patience.ts"], isolate: false, pool: "threads", restoreMocks: true, unstubGlobals: true, testTimeout: 60_000, server: { deps: { inline: [/@rjsf/] } } },
});
