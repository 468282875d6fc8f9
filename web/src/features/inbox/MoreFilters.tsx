/** Narrows the list by who asked, what, in which case, when, and who looks at it. */
import { useEffect, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Pick } from "@/components/ui/pick";
import { narrowing, viewOf } from "@/features/inbox/views";
import { TEXTS } from "@/features/inbox/texts";
import { line } from "@/lib/format";
import { KINDS, type HoldFilters, type HoldRow } from "@/lib/holds";
import { DECIDED } from "@/lib/inbox-search";

interface Props {
  filters: HoldFilters;
  holds: HoldRow[];
  onNarrow: (change: Record<string, unknown>) => void;
}

const WORDS = TEXTS.filters;
const same = (each: string) => [each, each] as const;

export default function MoreFilters({ filters, holds, onNarrow }: Props) {
  const view = viewOf(filters);
  const statuses = view === "done" ? DECIDED : view === "mine" || view === "all" ? (["pending", ...DECIDED] as const) : [];
  const set = Object.keys(narrowing(filters)).length > 0;
  const known = (of: (row: HoldRow) => string | null | undefined) => [...new Set(holds.map(of).filter((one) => one != null))].sort();
  return (
    <div className="grid grid-cols-2 gap-2">
      <Pick label={WORDS.kind[0]} every={WORDS.kind[1]} value={filters.kind} options={KINDS.map(same)} onPick={(kind) => onNarrow({ kind })} />
      <Pick label={WORDS.opened[0]} every={WORDS.opened[1]} value={filters.within} options={[...WORDS.within]} onPick={(within) => onNarrow({ within })} />
      <Named label={WORDS.agent} value={filters.agent} known={known((row) => row.opened_by.name)} onName={(agent) => onNarrow({ agent })} />
      <Named label={WORDS.action} value={filters.action} known={known((row) => row.action?.name)} onName={(action) => onNarrow({ action })} />
      <Named label={WORDS.case} value={filters.case} known={known((row) => row.case_id)} onName={(name) => onNarrow({ case: name })} />
      {statuses.length > 0 ? (
        <Pick label={WORDS.status[0]} every={WORDS.status[1]} value={filters.status} options={statuses.map(same)} onPick={(status) => onNarrow({ status })} />
      ) : (
        <Pick label={WORDS.assigned[0]} every={WORDS.assigned[1]} value={filters.assignee} options={[...WORDS.assignees]} onPick={(assignee) => onNarrow({ assignee })} />
      )}
      {set ? (
        <Button size="sm" tone="ghost" className="col-span-2 justify-self-start" onClick={() => onNarrow(Object.fromEntries(Object.keys(narrowing(filters)).map((name) => [name, undefined])))}>
          {TEXTS.search.clear}
        </Button>
      ) : null}
    </div>
  );
}

interface NamedProps {
  label: string;
  value: string | undefined;
  known: string[];
  onName: (name: string) => void;
}

const TYPING_MS = 300;

/** A name that is typed, with those that the list has offered. */
function Named({ label, value = "", known, onName }: NamedProps) {
  const list = useId();
  const [typed, setTyped] = useState(value);
  const [address, setAddress] = useState(value);
  if (value !== address) {
    setAddress(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onName(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
    // what was typed decides, not what the address says meanwhile
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [typed]);
  return (
    <>
      <Input aria-label={label} placeholder={label} list={list} value={typed} onChange={(event) => setTyped(event.target.value)} />
      <datalist id={list}>
        {known.map((name) => (
          <option key={name} value={line(name)} />
        ))}
      </datalist>
    </>
  );
}
