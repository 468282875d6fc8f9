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

export function changes(was: unknown, is: unknown, path = ""): Change[] {
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  if (!isTree(was) || !isTree(is)) return [{ path: path || "value", was, is }];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) => changes(was[name], is[name], path ? `${path}.${name}` : name));
}
