/** A moment to read: what has just come into view takes no decision yet. */
import { useEffect, useState } from "react";

/** A second tap or key that was meant for what stood here before comes sooner than this. */
export const READABLE_MS = 700;

/** Whether `what` has been readable for a moment, without a break: a page in the background is not read. */
export function useSettled(what: string): boolean {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") timer = setTimeout(() => setSettled(what), READABLE_MS);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [what]);
  return settled === what;
}
