/** More views, saved ones among them, and how the list is shown. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bookmark, Layers, SlidersHorizontal, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";
import { savedViewsQuery, useRemoveView } from "@/features/inbox/saved";
import { FURTHER } from "@/features/inbox/views";
import { TEXTS } from "@/features/inbox/texts";
import { chooseDensity, useDensity, type Density } from "@/lib/density";
import { line } from "@/lib/format";
import type { HoldFilters } from "@/lib/holds";
import { readInboxSearch } from "@/lib/inbox-search";
import { lazy } from "@/lib/lazy";

const SaveView = lazy(() => import("@/features/inbox/SaveView"));
const DENSITIES: readonly (readonly [Density, string])[] = [
  ["comfortable", TEXTS.views.comfortable],
  ["compact", TEXTS.views.compact],
];

export default function ViewMenu({ filters }: { filters: HoldFilters }) {
  const navigate = useNavigate();
  const density = useDensity();
  const saved = useQuery(savedViewsQuery).data ?? [];
  const removing = useRemoveView();
  const [saving, setSaving] = useState(false);
  const go = (search: Record<string, unknown>) => void navigate({ to: "/inbox", search: readInboxSearch(search) });
  return (
    <>
      <Menu
        trigger={
          <Button tone="ghost" size="icon" aria-label={TEXTS.views.menu} title={TEXTS.views.menu}>
            <SlidersHorizontal aria-hidden className="size-4" />
          </Button>
        }
      >
        {FURTHER.map((view) => (
          <MenuItem key={view} onSelect={() => go({ view })}>
            {TEXTS.views.names[view]}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuLabel>{TEXTS.views.saved}</MenuLabel>
        {saved.map((one) => (
          <div key={one.id} className="flex items-center">
            <MenuItem className="min-w-0 flex-1" onSelect={() => go(one.filters)}>
              <span className="truncate">{line(one.name)}</span>
            </MenuItem>
            <MenuItem label={TEXTS.views.remove(line(one.name))} onSelect={() => removing.mutate(one.id)}>
              <Trash2 aria-hidden className="size-4 text-ink-3" />
            </MenuItem>
          </div>
        ))}
        <MenuItem onSelect={() => setSaving(true)}>
          <Bookmark aria-hidden className="size-4" />
          {TEXTS.views.save}
        </MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => go({ ...filters, group: !filters.group })}>
          <Layers aria-hidden className="size-4" />
          {filters.group ? TEXTS.views.each : TEXTS.views.group}
        </MenuItem>
        <MenuChoice label={TEXTS.views.density} value={density} options={DENSITIES} onChange={chooseDensity} />
      </Menu>
      {saving ? (
        <Suspense>
          <SaveView filters={filters} onClose={() => setSaving(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
