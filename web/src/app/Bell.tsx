/** What happened that concerns this person while the page was open. */
import { useNavigate } from "@tanstack/react-router";
import { Bell as Icon } from "lucide-react";
import { TEXTS } from "@/app/texts";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import { Ago } from "@/components/ui/time";
import { cn } from "@/lib/cn";
import { markSeen, useNotices } from "@/lib/notices";

const WORDS = TEXTS.bell;

const SHOWN = 12;

export default function Bell() {
  const { all, unseen } = useNotices();
  const navigate = useNavigate();
  return (
    <Menu
      onOpen={(open) => !open && markSeen()}
      trigger={
        <Button tone="ghost" size="icon" aria-label={WORDS.label(unseen)} title={WORDS.title} className="relative">
          <Icon aria-hidden className={cn("size-4", unseen > 0 && "text-accent")} />
          {unseen > 0 ? (
            <span aria-hidden className="absolute top-0.5 right-0.5 min-w-4 rounded-full bg-accent px-1 text-center text-[0.625rem] leading-4 font-semibold text-accent-ink">
              {unseen > 9 ? "9+" : unseen}
            </span>
          ) : null}
        </Button>
      }
    >
      <p className="px-2.5 py-1.5 font-medium">{WORDS.title}</p>
      <MenuLine />
      {all.length === 0 ? <p className="max-w-64 px-2.5 py-2 text-ink-3">{WORDS.none}</p> : null}
      {all.slice(0, SHOWN).map((one) => (
        <MenuItem key={one.id} onSelect={() => void navigate({ to: "/holds/$holdId", params: { holdId: one.holdId } })}>
          <span className="w-72 max-w-[70vw] min-w-0">
            <span className="flex justify-between gap-3 text-xs text-ink-3">
              <span className="truncate">{one.words}</span>
              <span className="shrink-0">
                <Ago at={one.at} />
              </span>
            </span>
            <span className="block truncate">{one.about}</span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}
