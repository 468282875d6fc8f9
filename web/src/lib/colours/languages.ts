/** Which language a file is in, by its name. */
const BY_ENDING: Record<string, string> = {
  bash: "bash",
  c: "c",
  cc: "cpp",
  cfg: "ini",
  cjs: "javascript",
  cpp: "cpp",
  cs: "csharp",
  css: "css",
  go: "go",
  h: "c",
  hpp: "cpp",
  html: "xml",
  ini: "ini",
  java: "java",
  js: "javascript",
  json: "json",
  jsx: "javascript",
  kt: "kotlin",
  md: "markdown",
  mjs: "javascript",
  mts: "typescript",
  php: "php",
  py: "python",
  pyi: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  sql: "sql",
  svg: "xml",
  swift: "swift",
  toml: "ini",
  ts: "typescript",
  tsx: "typescript",
  xml: "xml",
  yaml: "yaml",
  yml: "yaml",
  zsh: "bash",
};
const NAMED = new Set(["dockerfile", "makefile"]);

export function languageOf(path: string): string | null {
  const name = path.split("/").at(-1)?.toLowerCase() ?? "";
  if (NAMED.has(name)) return name;
  const ending = /\.([^.]+)$/.exec(name)?.[1] ?? "";
  return Object.hasOwn(BY_ENDING, ending) ? (BY_ENDING[ending] ?? null) : null;
}
