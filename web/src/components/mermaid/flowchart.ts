import { Chart, directionOf, NotDrawn, statements, unquoted, type Head, type Line, type Shape } from "@/components/mermaid/chart";

const NAME = /^[\p{L}\p{N}_]+(?:[-./:][\p{L}\p{N}_]+)*/u;
const SHAPES: [open: string, close: string, shape: Shape][] = [
  ["(((", ")))", "circle"],
  ["([", "])", "pill"],
  ["((", "))", "circle"],
  ["(", ")", "round"],
  ["[[", "]]", "box"],
  ["[(", ")]", "store"],
  ["[/", "/]", "box"],
  ["[\\", "\\]", "box"],
  ["[", "]", "box"],
  ["{{", "}}", "hexagon"],
  ["{", "}", "diamond"],
  [">", "]", "box"],
];
const HEADS: Record<string, Head> = { ">": "arrow", "<": "arrow", o: "circle", x: "cross" };
type Found = Pick<Line, "label" | "stroke" | "tail" | "head">;
// each with what it begins with, ends with, and the words within; a letter is a head only where nothing follows it
const LINKS: [pattern: RegExp, stroke: Line["stroke"]][] = [
  [/^(?<tail>[<ox])?-{2,}(?:(?<head>>|[ox](?=[\s|]))|-)/, "solid"],
  [/^(?<tail>[<ox])?={2,}(?:(?<head>>|[ox](?=[\s|]))|=)/, "thick"],
  [/^(?<tail>[<ox])?-\.+-(?<head>>|[ox](?=[\s|]))?/, "dashed"],
  [/^(?<tail>[<ox])?--\s+(?<label>\S.*?)\s*-{2,}(?:(?<head>[>ox])|-)/, "solid"],
  [/^(?<tail>[<ox])?==\s+(?<label>\S.*?)\s*={2,}(?:(?<head>[>ox])|=)/, "thick"],
  [/^(?<tail>[<ox])?-\.\s+(?<label>\S.*?)\s*\.+-(?<head>[>ox])?/, "dashed"],
];
// how it looks is ours to say
const LOOKS = /^(style|classDef|class|linkStyle|direction|accTitle|accDescr)\b/;
const GROUP = /^subgraph\s+(?:(?<id>[^\s["]+)\s*\[(?<title>.*)\]|(?<words>.+))$/;

export function flowchart(text: string): Chart {
  const [head = "", ...rows] = statements(text);
  const chart = new Chart(directionOf(/\b(LR|RL|TD|TB|BT)\b/.exec(head)?.[1]));
  const open: string[] = [];
  for (const row of rows.flatMap((one) => parted(one))) {
    const group = GROUP.exec(row)?.groups;
    if (group) {
      const id = group["id"] ?? unquoted(group["words"] ?? "");
      chart.groups.set(id, { id, title: unquoted(group["title"] ?? group["words"] ?? ""), inside: open.at(-1) ?? null });
      open.push(id);
    } else if (row === "end") open.pop();
    else if (!LOOKS.test(row)) new Statement(chart, row, open.at(-1) ?? null).read();
  }
  // a line may name a group before it is opened
  for (const id of chart.groups.keys()) chart.boxes.delete(id);
  return chart;
}

/** Several statements in a row, apart from what is quoted. */
function parted(row: string): string[] {
  return (row.match(/(?:"[^"]*"|[^;"]|"(?=[^"]*$)|#\w+;)+/g) ?? []).map((one) => one.trim()).filter(Boolean);
}

/** One row, read from its beginning: names with their shapes, and the links between them. */
class Statement {
  constructor(
    private readonly chart: Chart,
    private rest: string,
    private readonly group: string | null,
  ) {}

  read(): void {
    let before = this.#names();
    while (this.rest !== "") {
      const link = this.#link();
      const after = this.#names();
      for (const from of before) for (const to of after) if (link) this.chart.join(from, to, link);
      before = after;
    }
  }

  #names(): string[] {
    const found = [this.#name()];
    while (this.rest.startsWith("&")) {
      this.#take(1);
      found.push(this.#name());
    }
    return found;
  }

  #name(): string {
    const id = NAME.exec(this.rest)?.[0];
    if (!id) throw new NotDrawn(this.rest);
    this.rest = this.rest.slice(id.length);
    const shaped = SHAPES.find(([open]) => this.rest.startsWith(open));
    if (shaped) {
      const [open, close, shape] = shaped;
      const quoted = /^\s*"[^"]*"\s*/.exec(this.rest.slice(open.length))?.[0];
      const end = quoted === undefined ? this.rest.indexOf(close, open.length) : open.length + quoted.length;
      if (end < 0 || !this.rest.startsWith(close, end)) throw new NotDrawn(this.rest);
      this.chart.box(id, this.group, { title: unquoted(this.rest.slice(open.length, end)), shape });
      this.rest = this.rest.slice(end + close.length);
    } else this.chart.box(id, this.group);
    this.#take(/^(:::[\w-]+)?/.exec(this.rest)?.[0].length ?? 0);
    return id;
  }

  /** Nothing for one that is not to be seen. */
  #link(): Found | null {
    const unseen = /^~{3,}/.exec(this.rest)?.[0];
    if (unseen) {
      this.#take(unseen.length);
      return null;
    }
    for (const [pattern, stroke] of LINKS) {
      const found = pattern.exec(this.rest);
      if (!found) continue;
      this.#take(found[0].length);
      const { tail = "", head = "", label = "" } = found.groups as Partial<Record<"tail" | "head" | "label", string>>;
      return { stroke, tail: HEADS[tail] ?? "none", head: HEADS[head] ?? "none", label: unquoted(label || this.#label()) };
    }
    throw new NotDrawn(this.rest);
  }

  #label(): string {
    const found = /^\|([^|]*)\|/.exec(this.rest);
    if (found) this.#take(found[0].length);
    return found?.[1] ?? "";
  }

  #take(length: number): void {
    this.rest = this.rest.slice(length).trimStart();
  }
}
