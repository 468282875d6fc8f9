/** Sequence diagrams: who says what to whom, from top to bottom. */
import { NotDrawn, statements, unquoted, type Head } from "@/components/mermaid/chart";

export interface Message {
  is: "message";
  from: string;
  to: string;
  text: string;
  dashed: boolean;
  head: Head;
}

export type Entry =
  | Message
  | { is: "note"; over: string[]; side: "left" | "right" | "over"; text: string }
  /** A frame: a loop, a choice. Its other branches follow it. */
  | { is: "open" | "branch"; text: string }
  | { is: "close" };

export interface Sequence {
  people: Map<string, string>;
  entries: Entry[];
}

const NAME = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{N}_ ./]*[\p{L}\p{N}_.])?`;
const PERSON = new RegExp(String.raw`^(?:create\s+)?(?:participant|actor)\s+(?<id>${NAME}?)(?:\s+as\s+(?<title>.+))?$`, "u");
const MESSAGE = new RegExp(String.raw`^(?<from>${NAME})\s*(?<arrow><<-?->>|-?->>|-?->|-?-x|-?-\))\s*[+-]?\s*(?<to>${NAME})\s*:\s*(?<text>.*)$`, "u");
const NOTE = new RegExp(String.raw`^note\s+(?<side>over|left of|right of)\s+(?<one>${NAME})(?:\s*,\s*(?<other>${NAME}))?\s*:\s*(?<text>.*)$`, "iu");
const OPEN = /^(loop|alt|opt|par|critical|break|rect|box)\b\s*(.*)$/;
const BRANCH = /^(else|and|option)\b\s*(.*)$/;
// what changes nothing of what is said
const QUIET = /^(activate|deactivate|autonumber|destroy|title|accTitle|accDescr)\b/;

export function sequence(text: string): Sequence {
  const people = new Map<string, string>();
  const entries: Entry[] = [];
  const known = (id: string): string => {
    if (!people.has(id)) people.set(id, id);
    return id;
  };
  // a box around names is no frame
  const frames: boolean[] = [];
  for (const row of statements(text).slice(1)) {
    const [person, message, note] = [PERSON.exec(row)?.groups, MESSAGE.exec(row)?.groups, NOTE.exec(row)?.groups];
    const [opened, branch] = [OPEN.exec(row), BRANCH.exec(row)];
    if (person) people.set(person["id"] ?? "", unquoted(person["title"] ?? person["id"] ?? ""));
    else if (opened) {
      const shown = opened[1] !== "box" && opened[1] !== "rect";
      frames.push(shown);
      if (shown) entries.push({ is: "open", text: unquoted(`${opened[1] ?? ""} ${opened[2] ?? ""}`) });
    } else if (branch) entries.push({ is: "branch", text: unquoted(`${branch[1] ?? ""} ${branch[2] ?? ""}`) });
    else if (row === "end") {
      if (frames.pop()) entries.push({ is: "close" });
    } else if (message) {
      const arrow = message["arrow"] ?? "";
      const head: Head = arrow.endsWith("x") ? "cross" : arrow.endsWith(">>") || arrow.endsWith(")") ? "arrow" : "none";
      const [from, to] = [known(message["from"] ?? ""), known(message["to"] ?? "")];
      entries.push({ is: "message", from, to, text: unquoted(message["text"] ?? ""), dashed: arrow.includes("--"), head });
    } else if (note) {
      const over = [note["one"] ?? "", ...(note["other"] ? [note["other"]] : [])].map(known);
      const side = (note["side"] ?? "over").toLowerCase().split(" ")[0] as "left" | "right" | "over";
      entries.push({ is: "note", over, side, text: unquoted(note["text"] ?? "") });
    } else if (!QUIET.test(row)) throw new NotDrawn(row);
  }
  if (people.size === 0 || frames.length > 0) throw new NotDrawn("no end");
  return { people, entries };
}
