/** Desktop notifications of new holds, where the person allowed them, while the page is not looked at. */
import type { QueryClient } from "@tanstack/react-query";
import type { Entry } from "@/lib/events";
import { line } from "@/lib/format";
import { fetchHold, holdKeys } from "@/lib/holds";
import type { LiveMap } from "@/lib/live";
import { TEXTS } from "@/lib/texts";

const WORDS = TEXTS.notifications;

// more at once are told in one
const MOST_SINGLE = 3;

export function canNotify(): boolean {
  return "Notification" in globalThis && Notification.permission !== "denied";
}

export function notifies(): boolean {
  return "Notification" in globalThis && Notification.permission === "granted";
}

async function tell(entries: Entry[], queries: QueryClient): Promise<void> {
  if (!document.hidden || !notifies()) return;
  const ids = entries.map((entry) => entry.hold_id).filter((id) => id !== null);
  const holds = await Promise.all(
    ids.slice(0, MOST_SINGLE + 1).map((id) => queries.query({ queryKey: holdKeys.one(id), queryFn: () => fetchHold(id), staleTime: "static" })),
  );
  const mine = holds.filter((hold) => hold.status === "pending" && hold.may_decide.allowed);
  if (mine.length > MOST_SINGLE) {
    show(WORDS.newHolds(ids.length), WORDS.theyAreWaitingForA, "/inbox", "many");
    return;
  }
  for (const hold of mine) show(`${hold.risk}: ${line(hold.title)}`, WORDS.asks(line(hold.opened_by.name)), `/holds/${hold.id}`, hold.id);
}

function show(title: string, body: string, path: string, tag: string): void {
  const shown = new Notification(title, { body, tag, icon: "/icon.svg" });
  shown.onclick = () => {
    window.focus();
    location.assign(path);
  };
}

export const notificationsLive: LiveMap = { "hold.opened": tell };
