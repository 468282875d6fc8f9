/** State diagrams, and mind maps. */
import { Chart, directionOf, NotDrawn, statements, unquoted } from "@/components/mermaid/chart";

const NAME = String.raw`[\p{L}\p{N}_.-]*[\p{L}\p{N}_]`;
const STEP = new RegExp(String.raw`^(?<from>\[\*\]|${NAME})\s*-->\s*(?<to>\[\*\]|${NAME})(?:\s*:\s*(?<label>.*))?$`, "u");
const STATE = new RegExp(String.raw`^state\s+(?:"(?<title>[^"]*)"\s+as\s+)?(?<id>${NAME})\s*(?<body>\{)?$`, "u");
const SAID = new RegExp(String.raw`^(?<id>${NAME})(?:\s*:\s*(?<text>.+))?$`, "u");
const NOTE = new RegExp(String.raw`^note\s+(?:right|left)\s+of\s+(?<id>${NAME})(?:\s*:\s*(?<text>.+))?$`, "u");
const LOOKS = /^(style|classDef|class|hide empty description)\b/;

export function stateDiagram(text: string): Chart {
  const chart = new Chart();
  const open: string[] = [];
  let noted: { id: string; rows: string[] } | null = null;
  for (const row of statements(text).slice(1)) {
    const within = open.at(-1) ?? null;
    const place = (name: string, end: "start" | "end"): string =>
      name === "[*]" ? chart.box(`${end} of ${within ?? "all"}`, within, { title: "", shape: end }).id : chart.groups.has(name) ? name : chart.box(name, within, { shape: "round" }).id;
    const [step, state, note] = [STEP.exec(row)?.groups, STATE.exec(row)?.groups, NOTE.exec(row)?.groups];
    const direction = /^direction\s+(\w\w)$/.exec(row)?.[1];
    if (noted) {
      if (row === "end note") {
        chart.note(noted.id, noted.rows.join("\n"), within);
        noted = null;
      } else noted.rows.push(unquoted(row));
    } else if (direction) {
      if (within === null) chart.direction = directionOf(direction);
    } else if (step) chart.join(place(step["from"] ?? "", "start"), place(step["to"] ?? "", "end"), { label: unquoted(step["label"] ?? "") });
    else if (row === "}") open.pop();
    else if (state?.["body"]) {
      const id = state["id"] ?? "";
      chart.groups.set(id, { id, title: unquoted(state["title"] ?? id), inside: within });
      open.push(id);
    } else if (state) chart.box(state["id"] ?? "", within, { title: unquoted(state["title"] ?? state["id"] ?? ""), shape: "round" });
    else if (note) {
      const id = place(note["id"] ?? "", "start");
      if (note["text"]) chart.note(id, unquoted(note["text"]), within);
      else noted = { id, rows: [] };
    } else if (!LOOKS.test(row)) {
      const said = SAID.exec(row)?.groups;
      if (!said) throw new NotDrawn(row);
      const box = chart.box(said["id"] ?? "", within, { shape: "round" });
      if (said["text"]) box.rows.push(unquoted(said["text"]));
    }
  }
  // a step may name a state before its parts are told
  for (const id of chart.groups.keys()) chart.boxes.delete(id);
  return chart;
}

const THOUGHT = /^(?:[\w-]*)(?:\(\((?<circle>.*)\)\)|\((?<round>.*)\)|\[(?<box>.*)\]|\{\{(?<hexagon>.*)\}\})$/;

/** By how far each is indented. */
export function mindmap(text: string): Chart {
  const chart = new Chart("LR");
  const path: { depth: number; id: string }[] = [];
  for (const row of text.split("\n").slice(1)) {
    const words = row.trim();
    if (words === "" || words.startsWith("%%") || words.startsWith("::")) continue;
    const depth = row.search(/\S/);
    while ((path.at(-1)?.depth ?? -1) >= depth) path.pop();
    const shaped = Object.values<string | undefined>(THOUGHT.exec(words)?.groups ?? {}).find((title) => title !== undefined);
    const id = String(chart.boxes.size);
    chart.box(id, null, { title: unquoted(shaped ?? words), shape: path.length === 0 ? "pill" : "round" });
    const above = path.at(-1);
    if (above) chart.join(above.id, id, { head: "none" });
    else if (chart.boxes.size > 1) throw new NotDrawn(words);
    path.push({ depth, id });
  }
  return chart;
}
