/** What people made of an action before they decided on it. */
import { queryOptions } from "@tanstack/react-query";
import type { Entry } from "@/api/events.gen";
import { answered, client, type Schemas } from "@/lib/api";
import { changes, type Change } from "@/lib/changes";
import { line } from "@/lib/format";
import { holdKeys } from "@/lib/holds";

export type HoldEvent = Schemas["HoldEvent"];

export function eventsQuery(id: string) {
  return queryOptions({
    queryKey: holdKeys.events(id),
    queryFn: async () => (await answered(client.GET("/api/holds/{hold_id}/events", { params: { path: { hold_id: id } } }))).events,
  });
}

export interface Amendment {
  revision: number;
  by: string;
  at: string;
  changes: Change[];
}

export function amendmentsOf(events: HoldEvent[]): Amendment[] {
  // the list of a hold's events has them as the stream does
  return (events as unknown as Entry[]).flatMap((event) =>
    event.type === "hold.amended" ? [{ revision: event.data.revision ?? 0, by: line(event.actor?.name ?? "Handrail"), at: event.at, changes: changedBy(event.data.changes) }] : [],
  );
}

/** The server names what differs; a list is told whole. */
export function changedBy(told: unknown): Change[] {
  if (!Array.isArray(told)) return [];
  return (told as { path: string; from?: unknown; to?: unknown }[]).flatMap(({ path, from, to }) => changes(from, to, line(path.replace(/^args\./, ""))));
}
