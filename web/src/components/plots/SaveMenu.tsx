import { Download } from "lucide-react";
import { TEXTS } from "@/components/plots/texts";
import { Menu, MenuItem } from "@/components/ui/menu";

const WORDS = TEXTS.figure;

/** Takes a figure away, as numbers or as a picture. */
export default function SaveMenu({ title, onCsv, onPng }: { title: string; onCsv: () => void; onPng: () => void }) {
  return (
    <Menu
      trigger={
        <button type="button" aria-label={WORDS.save(title)} title={WORDS.save(title)} className="inline-flex size-8 cursor-pointer items-center justify-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink">
          <Download aria-hidden className="size-4" />
        </button>
      }
    >
      <MenuItem onSelect={onCsv}>{WORDS.csv}</MenuItem>
      <MenuItem onSelect={onPng}>{WORDS.png}</MenuItem>
    </Menu>
  );
}
