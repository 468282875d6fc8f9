/** Decide the selected holds together: first shown once more, each by what it does. */
import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import type { Verdict } from "@/features/inbox/BulkDialog";
import type { Selection } from "@/features/inbox/selection";
import type { Hold } from "@/lib/holds";

const BulkDialog = lazy(() => import("@/features/inbox/BulkDialog"));

export default function BulkBar({ selection }: { selection: Selection }) {
  const [asked, setAsked] = useState<{ verdict: Verdict; holds: Hold[] } | null>(null);
  const { holds } = selection;
  return (
    <>
      {holds.length > 0 ? (
        <div className="flex items-center gap-2 border-t border-line bg-panel px-4 py-2.5">
          <p role="status" className="flex-1 font-medium">
            {holds.length} selected
          </p>
          <Button size="sm" tone="ghost" onClick={selection.clear}>
            Clear
          </Button>
          <Button size="sm" tone="danger" onClick={() => setAsked({ verdict: "reject", holds })}>
            Reject…
          </Button>
          <Button size="sm" tone="accent" onClick={() => setAsked({ verdict: "approve", holds })}>
            Approve…
          </Button>
        </div>
      ) : null}
      {asked ? (
        <Suspense>
          <BulkDialog
            {...asked}
            onClose={() => {
              setAsked(null);
              selection.clear();
            }}
            onBack={() => setAsked(null)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
