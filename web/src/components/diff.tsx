/** A unified diff, read where there is one. */
import { Suspense } from "react";
import { TEXTS } from "@/components/texts";
import { Waiting } from "@/components/ui/waiting";
import { lazy } from "@/lib/lazy";

const WORDS = TEXTS.diff;

// only where there is a diff
const DiffView = lazy(() => import("@/components/diff/DiffView"));

export function DiffText({ text }: { text: string }) {
  return (
    <Suspense fallback={<Waiting what={WORDS.theDiff} />}>
      <DiffView text={text} />
    </Suspense>
  );
}
