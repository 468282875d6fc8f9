/** A text of others in its pieces: what is said, diagrams, and other blocks of code. */
import { TEXTS } from "@/lib/texts";

const WORDS = TEXTS.fences;
export interface Block {
  is: "text" | "diagram" | "code";
  text: string;
}

// a block ends where a fence of the same length stands alone; one that is not closed yet is text
const FENCE = /^(`{3,})[ \t]*([\w+-]*)[^\n]*\n([\s\S]*?)^\1[ \t]*$/gm;

/** The same without its diagrams, where these are drawn elsewhere. */
export function withoutDiagrams(text: string): string {
  return text.replace(FENCE, (all, _: string, kind: string) => (kind === "mermaid" ? WORDS.aDiagramSeeTheAnswer : all));
}

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (const found of text.matchAll(FENCE)) {
    blocks.push({ is: "text", text: text.slice(from, found.index) });
    blocks.push({ is: found[2] === "mermaid" ? "diagram" : "code", text: found[3] ?? "" });
    from = found.index + found[0].length;
  }
  blocks.push({ is: "text", text: text.slice(from) });
  return blocks.map((block) => ({ ...block, text: block.text.replace(/^\n+|\s+$/g, "") })).filter((block) => block.text !== "");
}
