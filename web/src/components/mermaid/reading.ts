/** Mermaid text, read by what kind it says it is. */
import { NotDrawn, type Chart } from "@/components/mermaid/chart";
import { classDiagram, tableDiagram } from "@/components/mermaid/classes";
import { flowchart } from "@/components/mermaid/flowchart";
import { sequence, type Sequence } from "@/components/mermaid/sequence";
import { mindmap, stateDiagram } from "@/components/mermaid/states";

export type Read = { is: "chart"; chart: Chart } | { is: "sequence"; sequence: Sequence };

// more than these nobody reads, and laying them out would take long
const MOST = 150;
// a pattern that fails may have tried every way to cut a row
const LONGEST = 20_000;
const LONGEST_ROW = 1_000;

const KINDS: [RegExp, (text: string) => Chart][] = [
  [/^(flowchart|graph)\b/, flowchart],
  [/^classDiagram/, classDiagram],
  [/^stateDiagram/, stateDiagram],
  [/^erDiagram/, tableDiagram],
  [/^mindmap/, mindmap],
];

/** Nothing where something of it is not known, or where there is too much of it. */
export function read(text: string): Read | null {
  const body = text.trim().replace(/^(\s*%%.*\n)+/, "");
  if (body.length > LONGEST || body.split("\n").some((row) => row.length > LONGEST_ROW)) return null;
  try {
    if (/^sequenceDiagram/.test(body)) {
      const found = sequence(body);
      return found.entries.length <= MOST ? { is: "sequence", sequence: found } : null;
    }
    const chart = KINDS.find(([kind]) => kind.test(body))?.[1](body);
    if (!chart || chart.boxes.size === 0 || chart.boxes.size > MOST || chart.lines.length > 2 * MOST) return null;
    chart.anchored();
    return { is: "chart", chart };
  } catch (error) {
    if (error instanceof NotDrawn) return null;
    throw error;
  }
}
