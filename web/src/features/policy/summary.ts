/** What a policy says, by subject, as a person reads it. */
import { words } from "@/lib/format";
import { LEVELS, type Level } from "@/lib/holds";

export type Said = readonly [subject: string, said: string];

// subjects whose sentences name roles; those of rules and actions speak of actions
const OF_ROLES = new Set(["level", "approval", "role", "route", "on"]);

const first = (subject: string) => subject.split(" ")[0] ?? "";

/** The lines whose subject begins with one of these words; with none, those that no other group has. */
export function linesOf(lines: readonly Said[], begins: readonly string[], others: readonly string[]): Said[] {
  return lines.filter(([subject]) => (begins.length > 0 ? begins.includes(first(subject)) : !others.includes(first(subject))));
}

/** Its lines, with roles as words: `tech_lead` → "tech lead". */
export function inWords(summary: Record<string, string>): Said[] {
  const roles = Object.keys(summary).flatMap((subject) => (subject.startsWith("role ") ? [subject.slice(5)] : []));
  if (roles.length === 0) return Object.entries(summary);
  const longest = [...roles].sort((a, b) => b.length - a.length).map((role) => role.replace(/[^\w]/g, String.raw`\$&`));
  const named = new RegExp(String.raw`(?<![\w.-])(?:${longest.join("|")})(?![\w-])`, "g");
  return Object.entries(summary).map(([subject, said]) =>
    OF_ROLES.has(first(subject)) ? [subject.replace(named, words), said.replace(named, words)] : [subject, said],
  );
}

export interface LevelTable {
  levels: Level[];
  rows: { name: string; cells: (string | undefined)[] }[];
}

/** "level high, who" → a column for each level, a row for each thing it asks for. */
export function levelTable(lines: readonly Said[]): LevelTable {
  const said = lines.map(([subject, text]) => ({ level: subject.split(" ")[1]?.replace(",", ""), name: subject.split(", ")[1] ?? "", text }));
  const levels = LEVELS.filter((level) => said.some((one) => one.level === level));
  const names = [...new Set(said.map((one) => one.name))];
  return { levels, rows: names.map((name) => ({ name, cells: levels.map((level) => said.find((one) => one.level === level && one.name === name)?.text) })) };
}
