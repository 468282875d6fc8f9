import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Changes } from "@/components/changes";
import { Panel } from "@/components/page";
import { Ago } from "@/components/ui/time";
import { Waiting } from "@/components/ui/waiting";
import { historyQuery, versionQuery } from "@/features/policy/api";
import { TEXTS } from "@/features/policy/texts";
import { changes } from "@/lib/changes";
import { line } from "@/lib/format";

/** Every version, newest first, each with what it changed. */
export function History() {
  const versions = useQuery(historyQuery).data;
  const [open, setOpen] = useState<number | null>(null);
  if (!versions) return null;
  return (
    <Panel title={TEXTS.history.title}>
      <ol className="divide-y divide-line">
        {versions.map((one) => (
          <li key={one.version} className="py-2">
            <div className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-medium">{TEXTS.history.version(one.version)}</span>
              <span className="text-ink-3">
                {one.applied_by ? line(one.applied_by.name) : TEXTS.history.first}, <Ago at={one.applied_at} />
              </span>
              {one.version > 1 ? (
                <button
                  type="button"
                  aria-expanded={open === one.version}
                  className="ml-auto cursor-pointer text-accent underline underline-offset-2"
                  onClick={() => setOpen(open === one.version ? null : one.version)}
                >
                  {open === one.version ? TEXTS.history.hide : TEXTS.history.show}
                </button>
              ) : null}
            </div>
            {one.reason ? <p className="text-ink-2">“{line(one.reason)}”</p> : null}
            {open === one.version ? <Difference version={one.version} /> : null}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Difference({ version }: { version: number }) {
  const [before, after] = useQueries({ queries: [versionQuery(version - 1), versionQuery(version)] });
  if (!before.data || !after.data) return <Waiting what={TEXTS.history.waiting} />;
  const found = changes(before.data.summary, after.data.summary);
  return <div className="pt-2">{found.length === 0 ? <p className="text-ink-3">{TEXTS.history.onlyForm}</p> : <Changes of={found} />}</div>;
}
