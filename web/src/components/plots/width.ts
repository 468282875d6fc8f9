import { useEffect, useRef, useState, type RefObject } from "react";

// until the page has laid it out, and where nothing is laid out
const USUAL = 640;

/** How wide a box is, as it changes: what is drawn in it stays readable at any size. */
export function useWidth<T extends Element>(): [RefObject<T | null>, number] {
  const box = useRef<T>(null);
  const [width, setWidth] = useState(USUAL);
  useEffect(() => {
    const shown = box.current;
    if (!shown || typeof ResizeObserver === "undefined") return;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.floor(entry.contentRect.width));
    });
    watcher.observe(shown);
    return () => watcher.disconnect();
  }, []);
  return [box, width];
}
