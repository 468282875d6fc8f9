/** Text of others with its diagrams drawn. Nothing in it is rendered as markup, and nothing in it leads elsewhere. */
import { Suspense } from "react";
import { Coded } from "@/components/coded";
import { TEXTS } from "@/components/texts";
import { Waiting } from "@/components/ui/waiting";
import { plain } from "@/lib/format";
import { blocksOf } from "@/lib/fences";
import { lazy } from "@/lib/lazy";

const WORDS = TEXTS.prose;

// only where there is a diagram
const Diagram = lazy(() => import("@/components/mermaid/Diagram"));

export function Prose({ text }: { text: string }) {
  return (
    <div className="space-y-3">
      {blocksOf(text).map((block, index) =>
        block.is === "text" ? (
          <p key={index} className="break-words whitespace-pre-wrap">
            <Coded text={block.text} />
          </p>
        ) : block.is === "code" ? (
          <pre key={index} tabIndex={0} aria-label={WORDS.code} className="overflow-x-auto rounded-lg border border-line bg-sunken px-4 py-3 text-xs leading-5">
            {plain(block.text)}
          </pre>
        ) : (
          <Suspense key={index} fallback={<Waiting what={WORDS.theDiagram} />}>
            <Diagram text={block.text} />
          </Suspense>
        ),
      )}
    </div>
  );
}
