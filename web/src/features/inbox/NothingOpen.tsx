import { useQuery } from "@tanstack/react-query";
import { DemoPanel } from "@/features/inbox/DemoPanel";
import { demoQuery } from "@/features/inbox/demo";
import { FirstRun } from "@/features/inbox/FirstRun";
import { countsQuery, total } from "@/lib/counts";

/** Beside the list while no hold is open: how to go on, or how to begin. */
export function NothingOpen() {
  const counts = useQuery(countsQuery({}));
  const demo = useQuery(demoQuery).data;
  if (counts.isPending) return null;
  if (total(counts.data).count === 0) return <FirstRun />;
  if (demo) {
    return (
      <div className="h-full overflow-y-auto">
        <div className="mx-auto max-w-2xl px-6 py-12">
          <DemoPanel />
        </div>
      </div>
    );
  }
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 p-8 text-center text-ink-3">
      <p className="text-base text-ink-2">Open a hold to decide it.</p>
      <p className="hidden pointer-fine:block">
        <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>?</kbd> shows all keys.
      </p>
    </div>
  );
}
