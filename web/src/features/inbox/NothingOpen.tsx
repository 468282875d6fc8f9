import { useQuery } from "@tanstack/react-query";
import { NothingBeside } from "@/components/desk";
import { DemoPanel } from "@/features/inbox/DemoPanel";
import { demoQuery } from "@/features/inbox/demo";
import { FirstRun } from "@/features/inbox/FirstRun";
import { TEXTS } from "@/features/inbox/texts";
import { countsQuery, total } from "@/lib/counts";

/** Beside the list while no hold is open: how to go on, or how to begin. */
export function NothingOpen() {
  const counts = useQuery(countsQuery({ view: "needs_me" }));
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
    <NothingBeside title={TEXTS.open}>
      <kbd>j</kbd> {TEXTS.keys.and} <kbd>k</kbd> {TEXTS.keys.move}, <kbd>{TEXTS.keys.enter}</kbd> {TEXTS.keys.opens}, <kbd>?</kbd> {TEXTS.keys.shows}.
    </NothingBeside>
  );
}
