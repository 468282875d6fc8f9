import { useQuery } from "@tanstack/react-query";
import { FirstRun } from "@/features/inbox/FirstRun";
import { countsQuery, total } from "@/lib/counts";

/** Beside the list while no hold is open: how to go on, or how to begin. */
export function NothingOpen() {
  const counts = useQuery(countsQuery({}));
  if (counts.isPending) return null;
  if (total(counts.data).count === 0) return <FirstRun />;
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 p-8 text-center text-ink-3">
      <p className="text-base text-ink-2">Open a hold to decide it.</p>
      <p className="hidden pointer-fine:block">
        <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>?</kbd> shows all keys.
      </p>
    </div>
  );
}
