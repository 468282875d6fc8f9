/** What several holds have in common, and what sets each apart. */
import type { Hold } from "@/lib/holds";
import { fieldsOf } from "@/lib/wording";

type Fields = Record<string, unknown>;

export interface Likeness {
  action: string;
  /** The same in all of them. */
  common: Fields;
  /** Names of what differs, and of each hold its values. */
  differing: string[];
  of: (hold: Hold) => Fields;
}

/** Of holds of one action; nothing where they are of several. */
export function likenessOf(holds: Hold[]): Likeness | null {
  const [first] = holds;
  const action = first?.action?.name;
  if (!first || !action || holds.length < 2 || holds.some((hold) => hold.action?.name !== action || hold.kind !== first.kind)) return null;
  const all = holds.map(ofHold);
  const names = [...new Set(all.flatMap((fields) => Object.keys(fields)))];
  const isCommon = (name: string) => all.every((fields) => name in fields && same(fields[name], all[0]?.[name]));
  const common = Object.fromEntries(names.filter(isCommon).map((name) => [name, all[0]?.[name]]));
  return { action, common, differing: names.filter((name) => !isCommon(name)), of: ofHold };
}

function ofHold({ action }: Hold): Fields {
  if (!action) return {};
  const { action: name, ...fields } = fieldsOf(action);
  return fields;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
