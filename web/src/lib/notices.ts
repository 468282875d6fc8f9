/** What happened that concerns this person while the page was open: kept in this tab, newest first. */
import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Schemas } from "@/lib/api";
import type { Entry } from "@/lib/events";
import { line } from "@/lib/format";
import { holdQuery, type Hold } from "@/lib/holds";
import type { LiveMap } from "@/lib/live";
import { headline } from "@/lib/wording";
import { TEXTS } from "@/lib/texts";

export interface PageNotice {
  id: number;
  at: string;
  words: string;
  about: string;
  holdId: string;
}

const KEY = "handrail.notices";
const MOST = 50;
// a burst of more is not for a person to read one by one
const MOST_AT_ONCE = 10;

interface Kept {
  all: PageNotice[];
  /** The newest that was seen. */
  seen: number;
}

const NOTHING: Kept = { all: [], seen: 0 };
const listeners = new Set<() => void>();
let kept: Kept | null = null;

function now(): Kept {
  if (kept === null) {
    try {
      kept = (JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Kept | null) ?? NOTHING;
    } catch {
      kept = NOTHING;
    }
  }
  return kept;
}

function keep(next: Kept): void {
  kept = next;
  sessionStorage.setItem(KEY, JSON.stringify(next));
  for (const changed of listeners) changed();
}

export function addNotices(fresh: PageNotice[]): void {
  const { all, seen } = now();
  const known = new Set(all.map((one) => one.id));
  const added = fresh.filter((one) => !known.has(one.id));
  if (added.length > 0) keep({ all: [...added, ...all].sort((a, b) => b.id - a.id).slice(0, MOST), seen });
}

export function markSeen(): void {
  const { all } = now();
  keep({ all, seen: all[0]?.id ?? 0 });
}

export function useNotices(): { all: PageNotice[]; unseen: number } {
  const { all, seen } = useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, now);
  return { all, unseen: all.filter((one) => one.id > seen).length };
}

const WORDS = {
  asks: (who: string) => TEXTS.notices.asksYou(who),
  escalated: TEXTS.notices.escalatedToYou,
  decided: (outcome: string, who: string | null) => `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}${who ? TEXTS.notices.by(who) : ""}`,
  commented: (who: string) => TEXTS.notices.commented(who),
};

/** What an event means to this person; nothing where it does not concern them. */
export function concerning(entry: Pick<Entry, "type" | "actor">, hold: Hold, me: string): string | null {
  const mine = hold.opened_by.id === me || hold.started_by?.id === me;
  const taken = mine || hold.reviews.some((one) => one.by.id === me);
  if (entry.actor?.id === me) return null;
  switch (entry.type) {
    case "hold.opened":
      return hold.status === "pending" && hold.may_decide.allowed ? WORDS.asks(line(hold.opened_by.name)) : null;
    case "hold.escalated":
      return hold.status === "pending" && hold.may_decide.allowed ? WORDS.escalated : null;
    case "hold.decided":
      return taken && hold.decision && hold.decision.by !== null ? WORDS.decided(hold.decision.outcome, line(hold.decision.by.name)) : null;
    case "hold.commented":
      return taken || hold.may_decide.allowed ? WORDS.commented(line(entry.actor?.name ?? "")) : null;
    default:
      return null;
  }
}

async function take(entries: Entry[], queries: QueryClient): Promise<void> {
  const me = queries.getQueryData<Schemas["Me"]>(["me"])?.id;
  if (!me) return;
  const meant = entries.filter((entry) => entry.hold_id !== null).slice(-MOST_AT_ONCE);
  const found = await Promise.all(
    meant.map(async (entry) => {
      const id = entry.hold_id ?? "";
      try {
        const hold = await queries.query({ ...holdQuery(id), staleTime: 1_000 });
        const words = concerning(entry, hold, me);
        return words === null ? [] : [{ id: entry.seq, at: entry.at, words, about: headline(hold), holdId: id }];
      } catch {
        // not theirs to see
        return [];
      }
    }),
  );
  addNotices(found.flat());
}

export const noticesLive: LiveMap = { "hold.opened": take, "hold.escalated": take, "hold.decided": take, "hold.commented": take };
