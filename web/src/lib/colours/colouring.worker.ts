/** Reads code apart from the page, which stays free to scroll; each language comes when the first file in it does. */
import type { LanguageFn } from "highlight.js";
import { createLowlight } from "lowlight";
import { flattened } from "@/lib/colours/spans";

type Loader = () => Promise<{ default: LanguageFn }>;
const LANGUAGES: Record<string, Loader> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  go: () => import("highlight.js/lib/languages/go"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};
const reader = createLowlight();

export interface Asked {
  id: number;
  language: string;
  text: string;
}

async function read({ language, text }: Asked): Promise<Uint32Array> {
  const loader = LANGUAGES[language];
  if (!loader) return new Uint32Array();
  if (!reader.registered(language)) reader.register(language, (await loader()).default);
  return flattened(reader.highlight(language, text));
}

self.addEventListener("message", (event: MessageEvent<Asked>) => {
  // a text that the library cannot read has no colours
  void read(event.data)
    .catch(() => new Uint32Array())
    .then((flat) => self.postMessage({ id: event.data.id, flat }, { transfer: [flat.buffer] }));
});
