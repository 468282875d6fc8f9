/** On a phone: the pages that have no place in the bar. */
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import type { Destination } from "@/app/nav";
import { TEXTS } from "@/app/texts";
import { Menu, MenuItem } from "@/components/ui/menu";
import { cn } from "@/lib/cn";

const WORDS = TEXTS.otherPages;

export default function OtherPages({ of, here }: { of: Destination[]; here: Destination | undefined }) {
  const navigate = useNavigate();
  const current = of.find((one) => one === here);
  return (
    <Menu
      trigger={
        <button type="button" aria-label={WORDS.morePages(current?.label ?? WORDS.more)} className={cn("flex min-w-0 flex-1 cursor-pointer flex-col items-center gap-0.5 rounded-md px-2 py-2 text-xs text-ink-2 md:hidden", current && "font-medium text-ink")}>
          <Ellipsis aria-hidden className={cn("size-4.5", current && "text-accent")} />
          <span>{current?.label ?? WORDS.more}</span>
        </button>
      }
    >
      {of.map((one) => (
        <MenuItem key={one.to} onSelect={() => void navigate({ to: one.to })}>
          <one.icon aria-hidden className="size-4" />
          {one.label}
        </MenuItem>
      ))}
    </Menu>
  );
}
