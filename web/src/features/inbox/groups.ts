/** Holds that ask for the same thing, together: one line for "10 × delete tenant". */
import { words } from "@/lib/format";
import type { HoldRow } from "@/lib/holds";

export interface Group {
  id: string;
  holds: HoldRow[];
}

/** A line of the list: a hold by itself, one within an open group, or the head of a group. */
export type Entry = { id: string; hold: HoldRow; within: boolean } | { id: string; group: Group };

/** The same action, asked by the same agent at the same risk, with the same people to decide. */
function likeness(row: HoldRow): string | null {
  if (!row.action || row.kind === "input" || row.decision) return null;
  return JSON.stringify([row.kind, row.action.name, row.risk, row.opened_by.id, row.may_decide, row.requirements]);
}

/** In the order given; a group stands where its first hold does. */
export function entriesOf(holds: HoldRow[], open: ReadonlySet<string>): Entry[] {
  const groups = new Map<string, HoldRow[]>();
  for (const hold of holds) {
    const like = likeness(hold);
    if (like !== null) groups.set(like, [...(groups.get(like) ?? []), hold]);
  }
  const placed = new Set<string>();
  return holds.flatMap((hold): Entry[] => {
    const like = likeness(hold);
    const members = like === null ? [] : (groups.get(like) ?? []);
    if (like === null || members.length < 2) return [single(hold, false)];
    if (placed.has(like)) return [];
    placed.add(like);
    const id = `group ${like}`;
    return [{ id, group: { id, holds: members } }, ...(open.has(id) ? members.map((one) => single(one, true)) : [])];
  });
}

function single(hold: HoldRow, within: boolean): Entry {
  return { id: hold.id, hold, within };
}

/** "10 × delete tenant" */
export function groupTitle({ holds }: Group): string {
  return `${holds.length} × ${words(holds[0]?.action?.name ?? "")}`;
}

/** Every hold behind the lines, those of closed groups too. */
export function holdIds(entries: Entry[], open: ReadonlySet<string>): string[] {
  return entries.flatMap((one) => ("hold" in one ? [one.id] : open.has(one.id) ? [] : one.group.holds.map((hold) => hold.id)));
}
