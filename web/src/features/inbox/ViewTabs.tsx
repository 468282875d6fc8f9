/** Which holds are listed: the four views, and in a menu all else that changes the list. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useEffect, useRef } from "react";
import { FURTHER, TABS, viewOf } from "@/features/inbox/views";
import { TEXTS } from "@/features/inbox/texts";
import { cn } from "@/lib/cn";
import { countsQuery, total } from "@/lib/counts";
import type { HoldFilters, View } from "@/lib/holds";
import { readInboxSearch } from "@/lib/inbox-search";
import { lazy } from "@/lib/lazy";

// not needed to begin with
const ViewMenu = lazy(() => import("@/features/inbox/ViewMenu"));

export function ViewTabs({ filters }: { filters: HoldFilters }) {
  const current = viewOf(filters);
  const further = FURTHER.filter((view) => view === current);
  const tabs = useRef<HTMLElement>(null);
  // which one is open is in sight, also where there is no room for all
  useEffect(() => {
    // in new browsers it returns a promise
    tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [current]);
  return (
    <div className="flex items-center gap-1 border-b border-line pr-2 pl-3">
      <nav ref={tabs} aria-label={TEXTS.views.label} className="flex min-w-0 flex-1 overflow-x-auto [scrollbar-width:none]">
        {[...TABS, ...further].map((view) => (
          <Tab key={view} view={view} current={view === current} filters={filters} />
        ))}
      </nav>
      <Suspense fallback={<span className="size-9" />}>
        <ViewMenu filters={filters} />
      </Suspense>
    </div>
  );
}

interface TabProps {
  view: View;
  current: boolean;
  filters: HoldFilters;
}

/** The same filters in another view, as far as it knows them. */
function Tab({ view, current, filters }: TabProps) {
  const { status, ...same } = filters;
  return (
    <Link
      to="/inbox"
      search={readInboxSearch({ ...same, view })}
      // of addresses that differ in what they search for, one is current
      activeOptions={{ exact: true }}
      aria-current={current ? "page" : undefined}
      className={cn(
        "flex h-11 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2 text-ink-2 hover:text-ink",
        current && "border-accent font-medium text-ink",
      )}
    >
      {view === "waiting" ? (
        <span>
          {TEXTS.views.waiting[0]}
          <span className="max-sm:sr-only">{TEXTS.views.waiting[1]}</span>
        </span>
      ) : (
        TEXTS.views.names[view]
      )}
      {view === "needs_me" ? <Waiting /> : null}
    </Link>
  );
}

/** As many as the badge of the navigation says. */
function Waiting() {
  const { count, text } = total(useQuery(countsQuery({ view: "needs_me" })).data);
  return count > 0 ? <span className="rounded-full bg-accent-soft px-1.5 text-xs text-accent tabular-nums">{text}</span> : null;
}
