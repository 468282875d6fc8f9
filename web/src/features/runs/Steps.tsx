/** The steps folded by node: how often, how long, and the state before and after each. */
import { Changes } from "@/components/changes";
import { Tree } from "@/components/json";
import { Section } from "@/components/section";
import { label } from "@/features/runs/diagram";
import { TEXTS } from "@/features/runs/texts";
import type { Trace, Visit } from "@/features/runs/trace";
import { changes } from "@/lib/changes";
import { line } from "@/lib/format";

const WORDS = TEXTS.steps;

export function Steps({ trace, open, onOpen }: { trace: Trace; open: string | null; onOpen: (node: string | null) => void }) {
  if (trace.visits.size === 0) return null;
  return (
    <Section title={WORDS.title}>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {[...trace.visits].map(([node, visits]) => (
          <li key={node}>
            <details open={open === node} onToggle={(event) => event.currentTarget.open !== (open === node) && onOpen(event.currentTarget.open ? node : null)}>
              <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 px-4 py-2">
                <code className="font-medium">{line(label(node))}</code>
                <span className="text-xs text-ink-3">{WORDS.visits(visits.length, visits.reduce((sum, one) => sum + one.took, 0))}</span>
              </summary>
              <ol className="space-y-3 px-4 pb-3">
                {visits.map((visit) => (
                  <Shown key={visit.seq} visit={visit} />
                ))}
              </ol>
            </details>
          </li>
        ))}
      </ul>
      {trace.waited > 0 ? <p className="text-xs text-ink-3">{WORDS.waited(trace.waited)}</p> : null}
    </Section>
  );
}

function Shown({ visit }: { visit: Visit }) {
  const { update } = visit;
  const whole = typeof update === "object" && update !== null && !Array.isArray(update) && !visit.truncated;
  const found = whole ? changes(visit.before, update) : [];
  return (
    <li className="space-y-1">
      <p className="text-xs text-ink-3">{WORDS.visit(visit.step, visit.took)}</p>
      {visit.truncated ? <p className="text-xs text-ink-3">{WORDS.cut}</p> : null}
      {!whole ? update === null ? <p className="text-ink-3">{WORDS.nothing}</p> : <Tree of={update} /> : found.length === 0 ? <p className="text-ink-3">{WORDS.nothing}</p> : <Changes of={found} />}
    </li>
  );
}
