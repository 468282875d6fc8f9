import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ListFilter } from "lucide-react";
import { useState, type RefObject } from "react";
import { RiskShape } from "@/components/risk";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/field";
import { cn } from "@/lib/cn";
import { countsQuery, total } from "@/lib/counts";
import { KINDS, LEVELS, type HoldFilters } from "@/lib/holds";
import { readInboxSearch, STATUSES } from "@/lib/inbox-search";

interface Props {
  filters: HoldFilters;
  searchRef: RefObject<HTMLInputElement | null>;
}

export function FilterBar({ filters, searchRef }: Props) {
  const navigate = useNavigate();
  const { risk, text, ...others } = filters;
  const [more, setMore] = useState(Object.keys(others).length > 0);

  function narrow(change: Record<string, unknown>) {
    void navigate({ to: ".", search: readInboxSearch({ ...filters, ...change }), replace: true });
  }

  return (
    <div className="space-y-2.5 border-b border-line px-4 pt-3 pb-2.5">
      <h1 className="sr-only">Inbox</h1>
      <div className="flex gap-2">
        <SearchBox text={filters.text ?? ""} label="Search holds" inputRef={searchRef} onSearch={(text) => narrow({ text })} />
        <Button
          size="icon"
          aria-expanded={more}
          aria-label="More filters"
          title="More filters"
          className={cn(Object.keys(others).length > 0 && "border-accent text-accent")}
          onClick={() => setMore(!more)}
        >
          <ListFilter aria-hidden className="size-4" />
        </Button>
      </div>
      <RiskChips filters={filters} onPick={(risk) => narrow({ risk })} />
      {more ? (
        <div className="grid grid-cols-2 gap-2">
          <Select aria-label="Kind" value={filters.kind ?? ""} onChange={(e) => narrow({ kind: e.target.value })}>
            <option value="">Every kind</option>
            {KINDS.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </Select>
          <Select aria-label="Status" value={filters.status ?? "pending"} onChange={(e) => narrow({ status: e.target.value })}>
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {status === "all" ? "every status" : status}
              </option>
            ))}
          </Select>
          <Input aria-label="Case" placeholder="Case" value={filters.case ?? ""} onChange={(e) => narrow({ case: e.target.value })} />
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={filters.mine ?? false}
              onChange={(e) => narrow({ mine: e.target.checked })}
            />
            Requested by me
          </label>
        </div>
      ) : null}
    </div>
  );
}

/** Counts of what waits, which narrow the list when they are pressed. */
function RiskChips({ filters, onPick }: { filters: HoldFilters; onPick: (risk: string | undefined) => void }) {
  const counts = useQuery(countsQuery(filters)).data;
  const chip =
    "inline-flex h-7 cursor-pointer items-center gap-1.5 rounded-full border border-transparent px-2 text-xs tabular-nums sm:px-2.5 hover:bg-sunken aria-pressed:border-line-strong/50 aria-pressed:bg-panel aria-pressed:font-medium";
  return (
    <div role="group" aria-label="Waiting, by risk" className="-mx-1 flex flex-wrap gap-0.5">
      <button type="button" className={chip} aria-pressed={filters.risk === undefined} onClick={() => onPick(undefined)}>
        All {total(counts).text}
      </button>
      {LEVELS.map((level) => (
        <button
          key={level}
          type="button"
          className={chip}
          aria-pressed={filters.risk === level}
          onClick={() => onPick(filters.risk === level ? undefined : level)}
        >
          <RiskShape level={level} className="size-2.5" />
          {level} {counts?.[level]?.text ?? ""}
        </button>
      ))}
    </div>
  );
}
