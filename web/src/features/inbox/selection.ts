/** The holds that were selected, each as it was seen then: a bulk decision is on exactly these. */
import { useMemo, useState } from "react";
import type { Hold } from "@/lib/holds";

export interface Selection {
  /** Those that still are as they were selected, and still wait. */
  holds: Hold[];
  has: (id: string) => boolean;
  toggle: (hold: Hold) => void;
  clear: () => void;
}

/** What can be decided with others: not what needs its own answer, or its target typed. */
export function canBulk(hold: Hold): boolean {
  return (
    hold.status === "pending" &&
    hold.may_decide.allowed &&
    hold.kind !== "input" &&
    hold.items.length === 0 &&
    hold.risk !== "critical"
  );
}

export function useSelection(loaded: Hold[]): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Hold>>(new Map());
  const holds = useMemo(() => {
    const now = new Map(loaded.map((hold) => [hold.id, hold]));
    return [...chosen.values()].filter((seen) => {
      const hold = now.get(seen.id);
      return hold ? canBulk(hold) && hold.digest === seen.digest : true;
    });
  }, [chosen, loaded]);
  return {
    holds,
    has: (id) => holds.some((hold) => hold.id === id),
    toggle: (hold) => {
      if (!canBulk(hold)) return;
      setChosen((before) => {
        const next = new Map(before);
        if (!next.delete(hold.id)) next.set(hold.id, hold);
        return next;
      });
    },
    clear: () => setChosen(new Map()),
  };
}
