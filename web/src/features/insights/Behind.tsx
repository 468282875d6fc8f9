import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { Fetched } from "@/components/desk";
import { HoldMark } from "@/components/risk";
import { Ago } from "@/components/ui/time";
import { behindQuery, type HoldRow } from "@/lib/insights";
import type { InsightSearch } from "@/lib/insight-search";
import { TEXTS } from "@/features/insights/texts";
import { line } from "@/lib/format";
import { headline } from "@/lib/wording";

const WORDS = TEXTS.behind;

/** The holds that the figures count; it takes the focus, because a number was pressed to see it. */
export function Behind({ search }: { search: InsightSearch }) {
  const holds = useQuery(behindQuery(search));
  const heading = useRef<HTMLHeadingElement>(null);
  const { show: _, ...rest } = search;
  const asked = JSON.stringify(search);
  useEffect(() => heading.current?.focus(), [asked]);
  return (
    <section aria-label={WORDS.title} className="rounded-xl border border-line-strong/60 bg-panel">
      <div className="flex items-center gap-3 px-5 pt-3">
        <h2 ref={heading} tabIndex={-1} className="mr-auto font-semibold outline-none">
          {WORDS.title}
        </h2>
        <Link to="/insights" search={rest} aria-label={WORDS.close} title={WORDS.close} className="inline-flex size-8 items-center justify-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink">
          <X aria-hidden className="size-4" />
        </Link>
      </div>
      <Fetched query={holds} what={WORDS.title}>
        {({ rows, more }) =>
          rows.length === 0 ? (
            <p className="px-5 py-6 text-ink-3">{WORDS.none}</p>
          ) : (
            <div className="max-h-96 overflow-y-auto px-5 pb-3" tabIndex={0} role="group" aria-label={WORDS.title}>
              <ul className="divide-y divide-line">
                {rows.map((row) => (
                  <Row key={row.id} row={row} />
                ))}
              </ul>
              {more ? <p className="pt-2 text-xs text-ink-3">{WORDS.many(rows.length)}</p> : null}
            </div>
          )
        }
      </Fetched>
    </section>
  );
}

function Row({ row }: { row: HoldRow }) {
  return (
    <li>
      <Link to="/holds/$holdId" params={{ holdId: row.id }} className="flex flex-wrap items-baseline gap-x-3 py-2 hover:bg-sunken">
        <span className="w-20 shrink-0 text-xs">
          <HoldMark hold={row} />
        </span>
        <span className="min-w-40 flex-1 truncate">{headline(row)}</span>
        <span className="text-xs text-ink-3">
          {row.short_id} · {line(row.opened_by.name)} · {row.status} · <Ago at={row.opened_at} />
        </span>
      </Link>
    </li>
  );
}
