import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { Ago } from "@/components/ui/time";
import { RunMark } from "@/features/runs/RunMark";
import { failure } from "@/features/runs/wording";
import { cn } from "@/lib/cn";
import { line, plural } from "@/lib/format";
import type { Run, RunFilters } from "@/lib/runs";

interface Props {
  run: Run;
  current: boolean;
  filters: RunFilters;
}

export const RunRow = memo(function RunRow({ run, current, filters }: Props) {
  return (
    <div className={cn("relative flex h-full border-b border-line px-4 transition-colors hover:bg-panel", current && "bg-panel")}>
      {current ? <span aria-hidden className="absolute inset-y-0 left-0 w-0.75 bg-accent" /> : null}
      <Link
        to="/runs/$runId"
        params={{ runId: run.id }}
        search={filters}
        aria-current={current ? "true" : undefined}
        className="block min-w-0 flex-1 py-2.5 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      >
        <span className="flex items-center justify-between gap-3 text-xs text-ink-3">
          <RunMark status={run.status} />
          <span className="shrink-0">
            <Ago at={run.created_at} />
          </span>
        </span>
        <span className="mt-0.5 block truncate font-medium">{line(run.workflow)}</span>
        <span className="block truncate text-xs text-ink-3">
          {run.status === "failed" ? (failure(run.error)?.message ?? "it failed") : `${line(run.started_by.name)} · ${plural(run.usage.steps, "step")}`}
        </span>
      </Link>
    </div>
  );
});
