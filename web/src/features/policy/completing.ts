/** What may follow where one writes in a policy: words that its files know, those of the same kind first. */

export interface Completion {
  /** Where the word begins that is being written. */
  from: number;
  options: string[];
}

const WORD = /[A-Za-z_][\w.-]*$/;
const KEY = /^\s*(?:-\s+)?([A-Za-z_][\w.-]*)\s*:/;
const LEVELS = ["low", "medium", "high", "critical"];
const MOST = 8;

export interface Vocabulary {
  keys: string[];
  /** What stands after each key, anywhere. */
  values: Map<string, string[]>;
}

function plainWords(text: string): string[] {
  return text
    .replace(/#.*$/, "")
    .split(/[[\]{},]/)
    .map((part) => part.trim().replace(/^["']|["']$/g, ""))
    .filter((part) => /^[A-Za-z_][\w.*-]*$/.test(part));
}

/** The keys and values of these texts, each once, those used most often first. */
export function vocabulary(texts: readonly string[]): Vocabulary {
  const keys = new Map<string, number>();
  const values = new Map<string, Map<string, number>>();
  for (const text of texts) {
    let key = "";
    for (const line of text.split("\n")) {
      const found = KEY.exec(line)?.[1];
      if (found !== undefined) {
        key = found;
        keys.set(key, (keys.get(key) ?? 0) + 1);
      }
      const rest = found === undefined ? line.replace(/^\s*-\s+/, "") : line.slice(line.indexOf(":") + 1);
      for (const word of plainWords(rest)) {
        const known = values.get(key) ?? new Map<string, number>();
        known.set(word, (known.get(word) ?? 0) + 1);
        values.set(key, known);
      }
    }
  }
  const often = (counted: Map<string, number>) => [...counted.entries()].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([word]) => word);
  return { keys: often(keys), values: new Map([...values].map(([key, counted]) => [key, often(counted)])) };
}

/** Asked for (`always`), or as one writes: then from the second letter on. */
export function completing(text: string, cursor: number, known: Vocabulary, always = false): Completion | null {
  const line = text.slice(text.lastIndexOf("\n", cursor - 1) + 1, cursor);
  if (/#/.test(line)) return null;
  const word = WORD.exec(line)?.[0] ?? "";
  if (word.length < 2 && !always) return null;
  const above = /^\s*-\s/.test(line) ? keyAbove(text, cursor) : null;
  // a list of things that have keys of their own
  const key = KEY.exec(line)?.[1] ?? (above !== null && known.values.has(above) ? above : null);
  const offered = key === null ? known.keys : [...(known.values.get(key) ?? []), ...(key.includes("level") ? LEVELS : [])];
  const options = [...new Set(offered)].filter((one) => one.startsWith(word) && one !== word).slice(0, MOST);
  return options.length === 0 ? null : { from: cursor - word.length, options: key === null ? options.map((one) => `${one}: `) : options };
}

/** The key whose list this line is of. */
function keyAbove(text: string, cursor: number): string | null {
  const lines = text.slice(0, cursor).split("\n");
  const depth = /^\s*/.exec(lines.at(-1) ?? "")?.[0].length ?? 0;
  for (const line of lines.slice(0, -1).reverse()) {
    const found = /^(\s*)(?:-\s+)?([A-Za-z_][\w.-]*)\s*:\s*$/.exec(line);
    if (found && (found[1]?.length ?? 0) <= depth) return found[2] ?? null;
    if (!/^\s*(-|#|$)/.test(line)) return null;
  }
  return null;
}
