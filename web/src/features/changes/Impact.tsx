import { useId } from "react";
import { BOX, pictured, spoken, type Kind, type Node, type Picture } from "@/features/changes/impact";
import type { Impact } from "@/features/changes/model";
import { Section } from "@/components/section";
import { TEXTS } from "@/features/changes/texts";
import { cn } from "@/lib/cn";
import { line, plural } from "@/lib/format";

const WORDS = TEXTS.impact;

/** What the plan reaches, and what of that is at stake. */
export default function ImpactView({ impact }: { impact: Impact }) {
  const picture = pictured(impact);
  const { facts } = impact;
  const counts = [
    plural(facts["files"] ?? 0, "file"),
    plural(facts["fan_in"] ?? 0, WORDS.moduleThatDependsOnIt, WORDS.modulesThatDependOnIt),
    plural(facts["endpoints"] ?? 0, "endpoint"),
    plural(facts["migrations"] ?? 0, "migration"),
  ];
  const owners = Object.entries(impact.owners);
  return (
    <Section title={WORDS.impact} note={WORDS.riskScoreOf100(facts["risk_score"] ?? 0)}>
      <p className="text-ink-2">{counts.join(" · ")}</p>
      {picture ? <Drawn picture={picture} /> : null}
      <Named impact={impact} />
      {owners.length > 0 ? (
        <p className="text-ink-2">
          {WORDS.owners(owners.map(([path, names]) => `${line(names.join(", "))} (${line(path)})`).join("; "))}
        </p>
      ) : null}
      <details className="text-ink-2">
        <summary className="cursor-pointer text-ink-3">{WORDS.howScoreComesAbout}</summary>
        <ul className="mt-1 list-disc pl-5">
          {impact.risk.map((part) => (
            <li key={part.name}>{line(part.words)}</li>
          ))}
        </ul>
      </details>
    </Section>
  );
}

const MOST_NAMES = 100;

/** The same by name: a picture cannot be searched, and has no room for everything. */
function Named({ impact }: { impact: Impact }) {
  const all = {
    "Depends on it": impact.callers.map((one) => one.id),
    Endpoints: impact.endpoints,
    Tests: impact.tests.map((one) => one.id),
    Migrations: impact.migrations.map((one) => one.path),
    "Could not be read": impact.unread,
  };
  const lists = Object.entries(all).filter(([, names]) => names.length > 0);
  if (lists.length === 0) return null;
  return (
    <details className="text-ink-2">
      <summary className="cursor-pointer text-ink-3">{WORDS.byName}</summary>
      <dl className="mt-1 space-y-2">
        {lists.map(([title, names]) => (
          <div key={title}>
            <dt className="font-medium">{title}</dt>
            {names.slice(0, MOST_NAMES).map((name) => (
              <dd key={name} className="break-all font-mono text-xs">
                {line(name)}
              </dd>
            ))}
            {names.length > MOST_NAMES ? <dd>{WORDS.andMore(names.length - MOST_NAMES)}</dd> : null}
          </div>
        ))}
      </dl>
    </details>
  );
}

const LOOK: Record<Kind, { box: string; text: string; words: string; dashed?: boolean }> = {
  changed: { box: "fill-accent-soft stroke-accent", text: "fill-ink font-semibold", words: "changes" },
  new: { box: "fill-accent-soft stroke-accent", text: "fill-ink font-semibold", words: "new", dashed: true },
  reached: { box: "fill-panel stroke-line-strong", text: "fill-ink", words: WORDS.dependsOnIt },
  endpoint: { box: "fill-medium-soft stroke-medium", text: "fill-ink", words: "endpoint" },
  test: { box: "fill-panel stroke-line-strong", text: "fill-ink-2", words: "test", dashed: true },
};

function Drawn({ picture }: { picture: Picture }) {
  const kinds = [...new Set(picture.nodes.map((node) => node.kind))];
  return (
    <figure tabIndex={0} aria-label={WORDS.whatChangeReaches} className="overflow-x-auto rounded-lg border border-line bg-surface p-4">
      <Drawing of={picture} />
      <figcaption>
        <span className="sr-only">{line(spoken(picture))}</span>
        <span aria-hidden className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-3">
          {kinds.map((kind) => (
            <span key={kind} className="inline-flex items-center gap-1.5">
              <svg width="16" height="10">
                <rect x="0.5" y="0.5" width="15" height="9" rx="2.5" className={LOOK[kind].box} {...dashes(kind)} />
              </svg>
              {LOOK[kind].words}
            </span>
          ))}
          {picture.more ? <span>{line(picture.more)}</span> : null}
        </span>
      </figcaption>
    </figure>
  );
}

function dashes(kind: Kind): { strokeDasharray?: string } {
  return LOOK[kind].dashed ? { strokeDasharray: "4 3" } : {};
}

function Drawing({ of: { nodes, edges, width, height } }: { of: Picture }) {
  const arrow = useId();
  const at = new Map(nodes.map((node) => [node.id, node]));
  return (
    <svg aria-hidden viewBox={`0 0 ${width} ${height}`} width={width} height={height} className="block max-w-none">
      <marker id={arrow} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
        <path d="M0 0 8 4 0 8z" className="fill-line-strong" />
      </marker>
      {edges.map(({ from, to }) => {
        const [a, b] = [at.get(from), at.get(to)];
        return a && b ? (
          <path key={`${from} ${to}`} d={way(a, b)} fill="none" className="stroke-line-strong" strokeWidth="1.25" markerEnd={`url(#${arrow})`} />
        ) : null;
      })}
      {nodes.map((node) => (
        <g key={node.id}>
          <title>{line(node.id)}</title>
          <rect x={node.x} y={node.y} width={BOX.width} height={BOX.height} rx="6" className={LOOK[node.kind].box} {...dashes(node.kind)} />
          <text x={node.x + 10} y={node.y + BOX.height / 2} dominantBaseline="central" fontSize="12" className={cn("font-mono", LOOK[node.kind].text)}>
            {line(node.label)}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** From what depends to what it depends on, which stands to its left; within a column around the side. */
function way(from: Node, to: Node): string {
  const [y1, y2] = [from.y + BOX.height / 2, to.y + BOX.height / 2];
  if (to.x < from.x) {
    const [x1, x2] = [from.x, to.x + BOX.width + 1];
    const bend = (x1 - x2) / 2;
    return `M${x1} ${y1}C${x1 - bend} ${y1} ${x2 + bend} ${y2} ${x2} ${y2}`;
  }
  const [x1, x2] = [from.x + BOX.width, to.x + BOX.width + 1];
  const out = Math.max(x1, x2) + 28;
  return `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${x2} ${y2}`;
}
