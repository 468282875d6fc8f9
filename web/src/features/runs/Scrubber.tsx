/** Goes through the story moment by moment: by hand, by key, or by itself. */
import { ChevronLeft, ChevronRight, Pause, Play, SkipForward } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { momentWords } from "@/features/runs/moments";
import { TEXTS } from "@/features/runs/texts";
import { exact } from "@/lib/format";
import type { Part } from "@/lib/story";

const WORDS = TEXTS.scrub;
const PACE_MS = 700;

interface Props {
  parts: readonly Part[];
  /** How many are shown; all where it is null. */
  moment: number | null;
  onChange: (moment: number | null) => void;
}

export function Scrubber({ parts, moment, onChange }: Props) {
  const [playing, setPlaying] = useState(false);
  const count = parts.length;
  const shown = moment ?? count;
  const part = parts[shown - 1];
  const words = part ? WORDS.at(shown, count, momentWords(part), exact(part.at)) : WORDS.start;
  const go = (next: number) => onChange(next >= count ? null : Math.max(0, next));
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => {
      if (shown >= count) setPlaying(false);
      else onChange(shown + 1 >= count ? null : shown + 1);
    }, PACE_MS);
    return () => clearTimeout(timer);
  }, [playing, shown, count, onChange]);
  if (count < 2) return null;
  return (
    <div className="space-y-1">
      <div className="flex items-center gap-1">
        <Button tone="ghost" size="icon" aria-label={WORDS.back} title={WORDS.back} disabled={shown === 0} onClick={() => go(shown - 1)}>
          <ChevronLeft aria-hidden className="size-4" />
        </Button>
        <Button
          tone="ghost"
          size="icon"
          aria-label={playing ? WORDS.pause : WORDS.play}
          title={playing ? WORDS.pause : WORDS.play}
          onClick={() => {
            // at the end, from the beginning
            if (!playing && moment === null) onChange(0);
            setPlaying(!playing);
          }}
        >
          {playing ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
        </Button>
        <Button tone="ghost" size="icon" aria-label={WORDS.on} title={WORDS.on} disabled={moment === null} onClick={() => go(shown + 1)}>
          <ChevronRight aria-hidden className="size-4" />
        </Button>
        <input
          type="range"
          className="min-w-0 flex-1 accent-accent"
          aria-label={WORDS.label}
          aria-valuetext={words}
          min={0}
          max={count}
          value={shown}
          onChange={(event) => {
            setPlaying(false);
            go(Number(event.target.value));
          }}
        />
        <Button tone="ghost" size="icon" aria-label={WORDS.now} title={WORDS.now} disabled={moment === null} onClick={() => onChange(null)}>
          <SkipForward aria-hidden className="size-4" />
        </Button>
      </div>
      <p className="text-xs text-ink-3">{moment === null ? words : `${WORDS.past} ${words}`}</p>
    </div>
  );
}
