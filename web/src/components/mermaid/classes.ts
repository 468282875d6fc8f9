/** Class diagrams and those of tables: both are boxes with rows. */
import { Chart, directionOf, NotDrawn, statements, unquoted, type Head } from "@/components/mermaid/chart";

const NAME = String.raw`[\p{L}\p{N}_.-]*[\p{L}\p{N}_]`;
const CLASS = new RegExp(String.raw`^class\s+(?<id>${NAME})(?:~(?<of>[^~]+)~)?(?:\["(?<title>[^"]*)"\])?(?::::[\w-]+)?\s*(?<body>\{\s*\}?)?$`, "u");
const RELATION = new RegExp(String.raw`^(?<from>${NAME})\s*(?<one>"[^"]*")?\s*(?<tail><\||\*|o|<)?(?<stroke>--|\.\.)(?<head>\|>|\*|o|>)?\s*(?<many>"[^"]*")?\s*(?<to>${NAME})(?:\s*:\s*(?<label>.*))?$`, "u");
const MEMBER = new RegExp(String.raw`^(?<id>${NAME})\s*:\s*(?<row>.+)$`, "u");
const NOTE = new RegExp(String.raw`^note\s+for\s+(?<id>${NAME})\s+"(?<text>[^"]*)"$`, "u");
const SPACE = new RegExp(String.raw`^namespace\s+(?<id>${NAME})\s*\{$`, "u");
const HEADS: Record<string, Head> = { "<|": "triangle", "|>": "triangle", "*": "filled", o: "diamond", "<": "arrow", ">": "arrow" };
const LOOKS = /^(style|classDef|cssClass)\b/;

type Groups = Partial<Record<string, string>>;

export function classDiagram(text: string): Chart {
  const chart = new Chart();
  let inside: string | null = null;
  let space: string | null = null;
  for (const row of statements(text).slice(1)) {
    const groups = (pattern: RegExp): Groups | undefined => pattern.exec(row)?.groups;
    const direction = /^direction\s+(\w\w)$/.exec(row)?.[1];
    const [named, relation, note, opened] = [groups(CLASS), groups(RELATION), groups(NOTE), groups(SPACE)];
    if (inside !== null) {
      if (row === "}") inside = null;
      else chart.box(inside, space).rows.push(unquoted(row.replace(/^<<(.*)>>$/, "«$1»")));
    } else if (direction) chart.direction = directionOf(direction);
    else if (row === "}" && space !== null) space = null;
    else if (opened) {
      space = opened["id"] ?? "";
      chart.groups.set(space, { id: space, title: space, inside: null });
    } else if (named) {
      const id = named["id"] ?? "";
      const of = named["of"] ? `<${named["of"]}>` : "";
      chart.box(id, space, named["title"] || of ? { title: unquoted(named["title"] ?? `${id}${of}`) } : {});
      if (named["body"] === "{") inside = id;
    } else if (relation) related(chart, relation, space);
    else if (note) chart.note(chart.box(note["id"] ?? "", space).id, unquoted(note["text"] ?? ""), space);
    else if (!LOOKS.test(row)) {
      const member = groups(MEMBER);
      if (!member) throw new NotDrawn(row);
      chart.box(member["id"] ?? "", space).rows.push(unquoted(member["row"] ?? ""));
    }
  }
  return chart;
}

function related(chart: Chart, { from = "", to = "", one = "", many = "", tail = "", head = "", stroke, label = "" }: Groups, space: string | null): void {
  chart.box(from, space);
  chart.box(to, space);
  const count = one || many ? `${unquoted(one) || "1"} to ${unquoted(many) || "1"}` : "";
  chart.join(from, to, {
    label: [unquoted(label), count].filter(Boolean).join(", "),
    stroke: stroke === ".." ? "dashed" : "solid",
    tail: HEADS[tail] ?? "none",
    head: HEADS[head] ?? "none",
  });
}

const TABLE = new RegExp(String.raw`^(?<id>"[^"]+"|${NAME})(?:\["?(?<title>[^"\]]*)"?\])?\s*(?<body>\{)?$`, "u");
const LINK = new RegExp(String.raw`^(?<from>"[^"]+"|${NAME})\s*(?<one>\|o|\|\||\}o|\}\|)(?<stroke>--|\.\.)(?<many>o\||\|\||o\{|\|\{)\s*(?<to>"[^"]+"|${NAME})\s*:\s*(?<label>.*)$`, "u");
const COUNTS: Record<string, string> = { "|o": "0..1", "o|": "0..1", "||": "1", "}o": "0..n", "o{": "0..n", "}|": "1..n", "|{": "1..n" };

export function tableDiagram(text: string): Chart {
  const chart = new Chart();
  let inside: string | null = null;
  for (const row of statements(text).slice(1)) {
    const direction = /^direction\s+(\w\w)$/.exec(row)?.[1];
    const link: Groups | undefined = LINK.exec(row)?.groups;
    const table: Groups | undefined = TABLE.exec(row)?.groups;
    if (inside !== null) {
      if (row === "}") inside = null;
      else chart.box(inside, null).rows.push(unquoted(row));
    } else if (direction) chart.direction = directionOf(direction);
    else if (link) {
      const [from, to] = [unquoted(link["from"] ?? ""), unquoted(link["to"] ?? "")];
      chart.box(from, null);
      chart.box(to, null);
      const count = `${COUNTS[link["one"] ?? ""] ?? ""} to ${COUNTS[link["many"] ?? ""] ?? ""}`;
      chart.join(from, to, { label: [unquoted(link["label"] ?? ""), count].filter(Boolean).join(", "), stroke: link["stroke"] === ".." ? "dashed" : "solid", head: "none" });
    } else if (table) {
      const id = unquoted(table["id"] ?? "");
      chart.box(id, null, table["title"] ? { title: unquoted(table["title"]) } : {});
      if (table["body"]) inside = id;
    } else throw new NotDrawn(row);
  }
  return chart;
}
