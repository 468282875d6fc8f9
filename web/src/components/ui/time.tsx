import { useClock } from "@/lib/clock";
import { ago, exact } from "@/lib/format";

/** How long ago; the exact moment on hover and for screen readers. */
export function Ago({ at }: { at: string }) {
  const words = useClock((now) => ago(at, now));
  return (
    <time dateTime={at} title={exact(at)}>
      {words}
    </time>
  );
}
