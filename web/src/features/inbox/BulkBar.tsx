/** Decide the selected holds together: first shown once more, each by what it does. */
import { Suspense, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import type { Verdict } from "@/features/inbox/BulkDialog";
import type { Selection } from "@/features/inbox/selection";
import { TEXTS } from "@/features/inbox/texts";
import type { HoldRow } from "@/lib/holds";
import { useKeys } from "@/lib/keys";
import { lazy } from "@/lib/lazy";
import { setSelected } from "@/lib/selected";

const BulkDialog = lazy(() => import("@/features/inbox/BulkDialog"));

export default function BulkBar({ selection }: { selection: Selection }) {
  const [asked, setAsked] = useState<{ verdict: Verdict; holds: HoldRow[] } | null>(null);
  const { holds } = selection;
  const ask = (verdict: Verdict) => setAsked({ verdict, holds });
  useKeys(holds.length > 0 ? { a: () => ask("approve"), r: () => ask("reject") } : {});
  useEffect(() => {
    setSelected(holds.length);
    return () => setSelected(0);
  }, [holds.length]);
  return (
    <>
      {holds.length > 0 ? (
        <div className="flex items-center gap-2 border-t border-line bg-panel px-4 py-2.5">
          <p role="status" className="flex-1 font-medium">
            {TEXTS.bulk.selected(holds.length)}
          </p>
          <Button size="sm" tone="ghost" onClick={selection.clear}>
            {TEXTS.bulk.clear}
          </Button>
          <Button size="sm" tone="danger" onClick={() => ask("reject")}>
            {TEXTS.bulk.reject}… <Kbd>r</Kbd>
          </Button>
          <Button size="sm" tone="accent" onClick={() => ask("approve")}>
            {TEXTS.bulk.approve}… <Kbd>a</Kbd>
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
