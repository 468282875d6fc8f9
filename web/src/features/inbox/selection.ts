/** The holds that were selected, each as it was seen then: a bulk decision is on exactly these. */
import { useMemo, useRef, useState } from "react";
import type { HoldRow } from "@/lib/holds";

export interface Selection {
  /** Those that still are as they were selected, and still wait. */
  holds: HoldRow[];
  has: (id: string) => boolean;
  toggle: (hold: HoldRow) => void;
  /** All of these, or none of them where all are selected. */
  toggleAll: (holds: HoldRow[]) => void;
  /** From the one that was selected last to this one, in the order of the list. */
  extend: (hold: HoldRow) => void;
  clear: () => void;
}

/** What can be decided with others: not what needs its own answer, or its target typed. */
export function canBulk(hold: HoldRow): boolean {
  return (
    hold.status === "pending" &&
    hold.may_decide &&
    hold.kind !== "input" &&
    hold.items === 0 &&
    hold.risk !== "critical"
  );
}

/** `shown` is the list as it stands on the page. */
export function useSelection(loaded: HoldRow[], shown: HoldRow[]): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, HoldRow>>(new Map());
  const last = useRef<string | null>(null);
  const holds = useMemo(() => {
    const now = new Map(loaded.map((hold) => [hold.id, hold]));
    return [...chosen.values()].filter((seen) => {
      const hold = now.get(seen.id);
      return hold ? canBulk(hold) && hold.digest === seen.digest : true;
    });
  }, [chosen, loaded]);
  const has = (id: string) => holds.some((hold) => hold.id === id);

  function add(some: HoldRow[]) {
    setChosen((before) => new Map([...before, ...some.filter(canBulk).map((hold) => [hold.id, hold] as const)]));
  }

  function remove(some: HoldRow[]) {
    setChosen((before) => new Map([...before].filter(([id]) => some.every((hold) => hold.id !== id))));
  }

  function toggleAll(some: HoldRow[]) {
    const able = some.filter(canBulk);
    if (able.every((hold) => has(hold.id))) remove(able);
    else add(able);
  }

  return {
    holds,
    has,
    toggle: (hold) => {
      last.current = hold.id;
      toggleAll([hold]);
    },
    toggleAll,
    extend: (hold) => {
      const ids = shown.map((one) => one.id);
      const [at, from] = [ids.indexOf(hold.id), ids.indexOf(last.current ?? "")];
      last.current = hold.id;
      if (from < 0) toggleAll([hold]);
      else add(shown.slice(Math.min(at, from), Math.max(at, from) + 1));
    },
    clear: () => {
      last.current = null;
      setChosen(new Map());
    },
  };
}
