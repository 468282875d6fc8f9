/** A unified diff, read where there is one. */
import { lazy, Suspense } from "react";
import { Waiting } from "@/components/ui/waiting";

// only where there is a diff
const DiffView = lazy(() => import("@/components/diff/DiffView"));

export function DiffText({ text }: { text: string }) {
  return (
    <Suspense fallback={<Waiting what="the diff" />}>
      <DiffView text={text} />
    </Suspense>
  );
}
