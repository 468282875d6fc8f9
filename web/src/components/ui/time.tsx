import { useNow } from "@/lib/clock";
import { ago, exact } from "@/lib/format";

/** How long ago; the exact moment on hover and for screen readers. */
export function Ago({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={exact(at)}>
      {ago(at, now)}
    </time>
  );
}
