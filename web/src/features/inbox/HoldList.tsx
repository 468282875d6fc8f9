/** The rows that can be seen, of however many there are. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { HoldRow } from "@/features/inbox/HoldRow";
import type { Selection } from "@/features/inbox/selection";
import type { Hold, HoldFilters } from "@/lib/holds";

const ROW_PX = 78;
// so many rows before the end, the next page is asked for
const AHEAD = 60;

interface Props {
  holds: Hold[];
  current: string | null;
  filters: HoldFilters;
  selection: Selection;
  more: boolean;
  onNearEnd: () => void;
}

export function HoldList({ holds, current, filters, selection, more, onNearEnd }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: holds.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (index) => holds[index]?.id ?? index,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;

  useEffect(() => {
    if (more && last > holds.length - AHEAD) onNearEnd();
  });

  const at = holds.findIndex((hold) => hold.id === current);
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at);
    // only when another one becomes current: new rows above must not move the page
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [current]);

  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
      <ul aria-label="Holds, most urgent first" className="relative" style={{ height: rows.getTotalSize() }}>
        {shown.map((item) => {
          const hold = holds[item.index];
          if (!hold) return null;
          return (
            <li
              key={hold.id}
              aria-setsize={more ? -1 : holds.length}
              aria-posinset={item.index + 1}
              className="absolute inset-x-0 top-0"
              style={{ height: ROW_PX, transform: `translateY(${item.start}px)` }}
            >
              <HoldRow hold={hold} current={hold.id === current} filters={filters} selection={selection} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
