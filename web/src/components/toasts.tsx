/** Short messages at the edge of the page: what the server said of the last thing done, and a way back where there is one. */
import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { TEXTS } from "@/components/texts";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";

const WORDS = TEXTS.toasts;

export interface Toast {
  title: string;
  tone?: "good" | "error";
  /** A later one of the same id takes its place. */
  id?: string;
  action?: { label: string; run: () => void };
}

// one that offers something stays longer: it has to be read
const PLAIN_MS = 6_000;
const OFFER_MS = 20_000;
// of each sort: what only says something never takes the place of what offers something
const MOST = 2;

interface Shown extends Toast {
  id: string;
}

let toasts: Shown[] = [];
let count = 0;
const listeners = new Set<() => void>();

function change(next: Shown[]): void {
  toasts = next;
  for (const changed of listeners) changed();
}

/** Offers last: they stand at the bottom edge, where a message that comes above does not move them. */
function placed(all: Shown[]): Shown[] {
  return [...all.filter((one) => !one.action).slice(-MOST), ...all.filter((one) => one.action).slice(-MOST)];
}

export function toast(given: Toast): void {
  const id = given.id ?? `toast-${(count += 1)}`;
  const shown = { ...given, id };
  change(placed([...toasts.filter((one) => one.id !== id), shown]));
  dropAfter(shown, given.action || given.tone === "error" ? OFFER_MS : PLAIN_MS);
}

function dropAfter(shown: Shown, ms: number): void {
  setTimeout(() => {
    if (toasts.includes(shown)) dropToast(shown.id);
  }, ms);
}

function dropToast(id: string): void {
  if (toasts.some((one) => one.id === id)) change(toasts.filter((one) => one.id !== id));
}

/** What it offered is no longer possible; what it says stays. */
export function endOffer(id: string): void {
  const known = toasts.find((one) => one.id === id);
  if (!known?.action) return;
  const { action: ended, ...rest } = known;
  change(placed(toasts.map((one) => (one === known ? rest : one))));
  dropAfter(rest, PLAIN_MS);
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => toasts,
  );
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-20 z-40 flex flex-col items-center gap-2 px-4 md:bottom-6 md:items-start md:pl-6"
    >
      {shown.map((one) => (
        <div
          key={one.id}
          className={cn(
            "pointer-events-auto flex max-w-md items-center gap-3 rounded-lg border border-line bg-ink py-2 pr-2 pl-4 text-surface shadow-xl",
            one.tone === "error" && "bg-critical text-white dark:text-[#2a0805]",
          )}
        >
          <p className="min-w-0 flex-1">{one.title}</p>
          {one.action ? (
            <Button
              size="sm"
              className="border-current/40 bg-transparent text-current hover:bg-white/15 dark:hover:bg-black/15"
              onClick={() => {
                dropToast(one.id);
                one.action?.run();
              }}
            >
              {one.action.label}
            </Button>
          ) : null}
          <button type="button" aria-label={WORDS.dismiss} className="cursor-pointer rounded p-1.5 opacity-80 hover:opacity-100" onClick={() => dropToast(one.id)}>
            <X aria-hidden className="size-4" />
          </button>
        </div>
      ))}
    </div>
  );
}
