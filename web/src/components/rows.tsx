/** The rows of a list that can be seen, of however many there are; more are fetched before they are needed. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { TEXTS } from "@/components/texts";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { problemFrom } from "@/lib/api";

const WORDS = TEXTS.rows;

export const ROW_PX = 78;
// so many rows before the end, the next page is asked for
const AHEAD = 60;

/** An infinite query, as far as it matters here. */
interface Fetching {
  isPending: boolean;
  error: Error | null;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

interface Props<T> {
  list: Fetching;
  of: T[];
  idOf: (one: T) => string;
  current: string | null;
  /** What they are called, and the list itself for who cannot see it. */
  what: string;
  label: string;
  /** In place of rows where there are none. */
  empty: ReactNode;
  /** Of a row, where it is not the usual one. */
  height?: number;
  children: (one: T) => ReactNode;
}

export function Rows<T>(props: Props<T>) {
  const { list, of, what, empty } = props;
  if (list.error && of.length === 0) {
    return (
      <Notice tone="error" title={problemFrom(list.error).message} className="m-4">
        <Button className="mt-2" onClick={() => void list.refetch()}>
          {WORDS.tryAgain}
        </Button>
      </Notice>
    );
  }
  if (list.isPending) return <Waiting what={what} />;
  return of.length === 0 ? empty : <Scrolled {...props} />;
}

function Scrolled<T>({ list, of, idOf, current, label, height = ROW_PX, children }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: of.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
    getItemKey: (index) => (index in of ? idOf(of[index] as T) : index),
  });
  // what was measured before is wrong when rows become lower or higher
  useLayoutEffect(() => rows.measure(), [rows, height]);
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;

  useEffect(() => {
    if (list.hasNextPage && !list.isFetchingNextPage && last > of.length - AHEAD) list.fetchNextPage();
  });

  const at = of.findIndex((one) => idOf(one) === current);
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at);
    // only when another one becomes current: new rows above must not move the page
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [current]);

  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
      <ul aria-label={label} className="relative" style={{ height: rows.getTotalSize() }}>
        {shown.map((item) => {
          const one = of[item.index];
          if (one === undefined) return null;
          return (
            <li
              key={item.key}
              aria-setsize={list.hasNextPage ? -1 : of.length}
              aria-posinset={item.index + 1}
              className="absolute inset-x-0 top-0"
              style={{ height, transform: `translateY(${item.start}px)` }}
            >
              {children(one)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
