/** Where two JSON values differ, by path. */
export interface Change {
  path: string;
  /** Undefined where it is new. */
  was: unknown;
  /** Undefined where it is gone. */
  is: unknown;
}

type Tree = Record<string, unknown>;

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Lists of things that have names of their own are compared place by place, counted from one. */
function named(value: unknown): Tree | null {
  if (isTree(value)) return value;
  const list = Array.isArray(value) && value.length > 0 && value.every(isTree);
  return list ? Object.fromEntries(value.map((one, index) => [String(index + 1), one])) : null;
}

export function changes(was: unknown, is: unknown, path = ""): Change[] {
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  const [before, after] = [named(was), named(is)];
  if (!before || !after || Array.isArray(was) !== Array.isArray(is)) return [{ path: path || "value", was, is }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const glue = Array.isArray(was) ? " " : ".";
  return names.flatMap((name) => changes(before[name], after[name], path ? `${path}${glue}${name}` : name));
}
