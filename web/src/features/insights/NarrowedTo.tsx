import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { Insights } from "@/lib/insights";
import { NARROWING, type InsightSearch } from "@/lib/insight-search";
import { TEXTS } from "@/features/insights/texts";
import { line } from "@/lib/format";
import { dates } from "@/lib/locale";

const WORDS = TEXTS.filters;

/** What the figures are narrowed to, each to be taken away. */
export function NarrowedTo({ search, known }: { search: InsightSearch; known: Insights | undefined }) {
  const chips = NARROWING.filter((name) => name !== "to" && search[name] !== undefined).map((name) => [name, said(name, search, known)] as const);
  if (chips.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-xs text-ink-3">{TEXTS.narrowedTo}</span>
      {chips.map(([name, words]) => (
        <Link
          key={name}
          to="/insights"
          search={without(search, name)}
          aria-label={TEXTS.remove(words)}
          className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border border-line bg-panel px-3 text-xs hover:bg-sunken"
        >
          <span className="truncate">{words}</span> <X aria-hidden className="size-3 shrink-0" />
        </Link>
      ))}
      <Link to="/insights" search={search.period ? { period: search.period } : {}} className="text-xs text-accent underline underline-offset-2">
        {TEXTS.clear}
      </Link>
    </div>
  );
}

function without(search: InsightSearch, name: keyof InsightSearch): InsightSearch {
  const gone = name === "from" ? ["from", "to"] : [name];
  return Object.fromEntries(Object.entries(search).filter(([one]) => !gone.includes(one)));
}

function said(name: (typeof NARROWING)[number], search: InsightSearch, known: Insights | undefined): string {
  switch (name) {
    case "agent":
      return WORDS.agent(line(known?.agents.find((one) => one.agent.id === search.agent)?.agent.name ?? "…"));
    case "person":
      return WORDS.person(line(known?.people.find((one) => one.person.id === search.person)?.person.name ?? "…"));
    case "from":
    case "to": {
      const form = dates({ dateStyle: "medium", timeStyle: "short" });
      return WORDS.between(form.format(new Date(search.from ?? 0)), form.format(new Date(search.to ?? Date.now())));
    }
    case "weekday":
      return WORDS.weekday(TEXTS.hours.longDays[(search.weekday ?? 1) - 1] ?? "");
    case "hour":
      return WORDS.hour(search.hour ?? 0);
    case "longer":
      return WORDS.longer(search.longer ?? 0);
    case "shorter":
      return WORDS.shorter(search.shorter ?? 0);
    default:
      return WORDS[name](line(search[name] ?? ""));
  }
}
