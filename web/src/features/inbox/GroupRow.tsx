import { ChevronDown, ChevronRight } from "lucide-react";
import { useEffect, useRef } from "react";
import { RiskShape, RiskWord } from "@/components/risk";
import { groupTitle, type Group } from "@/features/inbox/groups";
import { canBulk, type Selection } from "@/features/inbox/selection";
import { TEXTS } from "@/features/inbox/texts";
import { cn } from "@/lib/cn";
import { line, listed } from "@/lib/format";

interface Props {
  group: Group;
  open: boolean;
  current: boolean;
  selection: Selection;
  compact: boolean;
  onToggle: () => void;
}

/** Like holds on one line: what they do, and to what. Selecting it selects all of them. */
export function GroupRow({ group, open, current, selection, compact, onToggle }: Props) {
  const [first] = group.holds;
  const able = group.holds.filter(canBulk);
  const chosen = able.filter((hold) => selection.has(hold.id)).length;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && chosen < able.length;
  }, [chosen, able.length]);
  if (!first) return null;
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <div className={cn("relative flex h-full gap-3 border-b border-line pr-4 pl-3 hover:bg-panel", compact && "items-center", current && "bg-panel", chosen > 0 && "bg-accent-soft hover:bg-accent-soft")}>
      {current ? <span aria-hidden className="absolute inset-y-0 left-0 w-0.75 bg-accent" /> : null}
      <label className={cn("relative z-10 flex w-5 shrink-0 cursor-pointer items-start justify-center", !compact && "pt-3.5")}>
        <span className="sr-only">{TEXTS.row.selectAll(groupTitle(group))}</span>
        <input
          ref={box}
          type="checkbox"
          className="size-4 cursor-pointer accent-accent disabled:opacity-30"
          checked={able.length > 0 && chosen === able.length}
          disabled={able.length === 0}
          onChange={() => selection.toggleAll(group.holds)}
        />
      </label>
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className={cn("flex min-w-0 flex-1 cursor-pointer items-center gap-2 text-left after:absolute after:inset-0", !compact && "py-2.5")}
      >
        {compact ? <RiskShape level={first.risk} /> : null}
        <span className="min-w-0 flex-1">
          {compact ? null : <RiskWord level={first.risk} className="text-xs" />}
          <span className="block truncate font-medium">{groupTitle(group)}</span>
          {compact ? null : <span className="block truncate text-xs text-ink-3">{`${line(first.opened_by.name)} · ${targets(group)}`}</span>}
        </span>
        <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      </button>
    </div>
  );
}

const MOST_NAMED = 3;

function targets({ holds }: Group): string {
  const named = [...new Set(holds.map((hold) => hold.action?.target).filter((one) => one != null))].map(line);
  const left = named.length - MOST_NAMED;
  if (named.length === 0) return TEXTS.row.openToSee;
  return left > 0 ? TEXTS.row.more(named.slice(0, MOST_NAMED).join(", "), left) : listed(named, "and");
}
