import { effect, type Part } from "@/lib/wording";
import type { Hold } from "@/lib/holds";

/** What happens on approval. */
export function Effect({ hold }: { hold: Hold }) {
  return <Sentence of={effect(hold)} />;
}

/** Each name and value reads in its own direction, and none moves another. */
export function Sentence({ of }: { of: Part[] }) {
  return of.map((part, index) =>
    part.code ? (
      // isolated from outside: the other way round a line may end between the box's edge and its text
      <bdi key={index}>
        <code className={`rounded bg-sunken box-decoration-clone px-1.5 py-0.5 text-[0.88em] font-medium ${part.text.length < 30 ? "whitespace-nowrap" : ""}`}>{part.text}</code>
      </bdi>
    ) : part.own ? (
      <bdi key={index}>{part.text}</bdi>
    ) : (
      <span key={index}>{part.text}</span>
    ),
  );
}
