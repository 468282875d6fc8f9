/** Mermaid text as a picture, with its text beside it; what cannot be drawn is shown as text alone. */
import { useMemo } from "react";
import { ChartPicture } from "@/components/mermaid/ChartPicture";
import { read, type Read } from "@/components/mermaid/reading";
import { SequencePicture } from "@/components/mermaid/SequencePicture";
import { TEXTS } from "@/components/mermaid/texts";
import { line, plain } from "@/lib/format";

const WORDS = TEXTS.diagram;

export default function Diagram({ text }: { text: string }) {
  const found = useMemo(() => read(text), [text]);
  if (!found) {
    return (
      <figure className="space-y-1">
        <Source text={text} />
        <figcaption className="text-xs text-ink-3">{WORDS.thisDiagramCannotBeDrawn}</figcaption>
      </figure>
    );
  }
  return (
    <div className="space-y-1">
      <figure tabIndex={0} aria-label={WORDS.diagram} className="overflow-x-auto rounded-lg border border-line bg-surface p-4">
        {found.is === "chart" ? <ChartPicture chart={found.chart} /> : <SequencePicture of={found.sequence} />}
        <figcaption className="sr-only">{line(spoken(found))}</figcaption>
      </figure>
      <details>
        <summary className="cursor-pointer text-xs text-ink-3">{WORDS.textOfDiagram}</summary>
        <Source text={text} />
      </details>
    </div>
  );
}

function Source({ text }: { text: string }) {
  return (
    <pre tabIndex={0} aria-label={WORDS.textOfDiagram} className="mt-1 overflow-x-auto rounded-lg border border-line bg-sunken px-4 py-3 text-xs leading-5">
      {plain(text)}
    </pre>
  );
}

/** The picture in words. */
export function spoken(found: Read): string {
  if (found.is === "sequence") {
    const { people, entries } = found.sequence;
    return entries.flatMap((entry) => (entry.is === "message" ? [WORDS.says(people.get(entry.from) ?? "", people.get(entry.to) ?? "", entry.text)] : entry.is === "close" ? [] : [entry.text])).join("; ");
  }
  const { boxes, lines } = found.chart;
  const name = (id: string) => boxes.get(id)?.title || id;
  const joined = new Set(lines.flatMap((one) => [one.from, one.to]));
  const alone = [...boxes.keys()].filter((id) => !joined.has(id)).map(name);
  return [...lines.map(({ from, to, label }) => WORDS.leads(name(from), name(to), label ? ` (${label})` : "")), ...alone].join("; ");
}
