import type { Hold } from "@/lib/holds";

/** What the requester says of its action and nobody has checked. What the server knows itself is a fact, and stands there. */
export function claimsOf(hold: Pick<Hold, "task" | "facts">): Record<string, unknown> {
  const known = new Set(hold.facts.map((fact) => JSON.stringify([fact.name, fact.value])));
  return Object.fromEntries(Object.entries(hold.task ?? {}).filter(([name, value]) => !known.has(JSON.stringify([name, String(value)]))));
}
