/** Keys in a list that has one thing open beside it: `j` and `k` move, `Enter` opens, `Escape` goes back. */
import { useState } from "react";
import { useKeys, type Keys } from "@/lib/keys";

interface List {
  ids: string[];
  open: string | undefined;
  show: (id: string) => void;
  /** Closes what is open. */
  leave: () => void;
}

/** The one that the keys mean: what is open, or else what was marked. `others` are keys that may mean it too. */
export function useListKeys({ ids, open, show, leave }: List, others: (current: string | null) => Keys): string | null {
  const [marked, setMarked] = useState<string | null>(null);
  const current = open ?? marked;
  function move(step: 1 | -1) {
    const at = ids.indexOf(current ?? "");
    const next = ids[at < 0 ? 0 : Math.min(ids.length - 1, Math.max(0, at + step))];
    if (next === undefined) return;
    // Enter is for the one that was moved to, and no longer for the button or link that was used before
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    if (open) show(next);
    else setMarked(next);
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => current !== null && !open && show(current),
    Escape: () => {
      if (open) setMarked(open);
      leave();
    },
    ...others(current),
  });
  return current;
}
