/** A chart: boxes, which may stand in groups, and lines between them. All kinds of Mermaid text but sequences become one. */
export type Shape = "box" | "round" | "pill" | "circle" | "diamond" | "hexagon" | "store" | "note" | "start" | "end";
export type Head = "none" | "arrow" | "triangle" | "diamond" | "filled" | "circle" | "cross";
export type Stroke = "solid" | "dashed" | "thick";
export type Direction = "LR" | "RL" | "TB" | "BT";

export interface Box {
  id: string;
  title: string;
  /** Members of a class, columns of a table: below a rule. */
  rows: string[];
  shape: Shape;
  group: string | null;
}

export interface Line {
  from: string;
  to: string;
  label: string;
  stroke: Stroke;
  /** At its beginning, and at its end. */
  tail: Head;
  head: Head;
}

export interface Group {
  id: string;
  title: string;
  inside: string | null;
}

/** A statement that is not known: the text is shown instead, since half a picture would mislead. */
export class NotDrawn extends Error {}

export class Chart {
  readonly boxes = new Map<string, Box>();
  readonly groups = new Map<string, Group>();
  readonly lines: Line[] = [];

  constructor(public direction: Direction = "TB") {}

  /** The box of this name, which is made where it is new; what is known better later is taken over. */
  box(id: string, group: string | null, more: Partial<Pick<Box, "title" | "shape">> = {}): Box {
    const known = this.boxes.get(id);
    const made: Box = known ?? { id, title: id, rows: [], shape: "box", group };
    if (!known) this.boxes.set(id, made);
    // whatever is named within a group stands in it
    made.group ??= group;
    return Object.assign(made, more);
  }

  join(from: string, to: string, more: Partial<Omit<Line, "from" | "to">> = {}): void {
    this.lines.push({ from, to, label: "", stroke: "solid", tail: "none", head: "arrow", ...more });
  }

  /** A box that remarks on another. */
  note(about: string, text: string, group: string | null): void {
    const id = `note ${this.boxes.size}`;
    this.box(id, group, { title: text, shape: "note" });
    this.join(id, about, { stroke: "dashed", head: "none" });
  }

  /** A line to a group leads to the first box in it, and one from it leaves the last. */
  anchored(): Line[] {
    const box = (id: string, at: 0 | -1): string => {
      if (this.boxes.has(id)) return id;
      const inside = [...this.boxes.values()].filter((one) => this.#isIn(one.group, id)).at(at);
      if (!inside) throw new NotDrawn(id);
      return inside.id;
    };
    return this.lines.map((line) => ({ ...line, from: box(line.from, -1), to: box(line.to, 0) }));
  }

  #isIn(group: string | null, id: string): boolean {
    for (let at = group; at !== null; at = this.groups.get(at)?.inside ?? null) if (at === id) return true;
    return false;
  }
}

export function directionOf(word: string | undefined): Direction {
  return word === "TD" || word === undefined ? "TB" : (word as Direction);
}

/** A label as it is read: without its quotes, its codes and its breaks. */
export function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^"(.*)"$/s, "$1")
    .replace(/^`(.*)`$/s, "$1")
    .replace(/<br\s*\/?\s*>|\\n/gi, "\n")
    .replace(/#quot;/g, '"')
    .replace(/#(\d{1,6});/g, (all, code: string) => (Number(code) <= 0x10ffff ? String.fromCodePoint(Number(code)) : all))
    .trim();
}

/** The statements: trimmed, without comments and empty lines. */
export function statements(text: string): string[] {
  return text
    .split("\n")
    .map((row) => row.replace(/^\s*%%.*$/, "").trim().replace(/;$/, "").trim())
    .filter(Boolean);
}
