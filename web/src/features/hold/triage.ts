/** Who looks at a hold, and until when this person does not want to. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "@/components/toasts";
import { answered, client, problemFrom, type Schemas } from "@/lib/api";
import { holdKeys, recount, refreshRows } from "@/lib/holds";
import { TEXTS } from "@/features/hold/texts";

const WORDS = TEXTS.triage;

export type Triage = Schemas["TriageOut"];

export function triageQuery(id: string) {
  return queryOptions({
    queryKey: holdKeys.triage(id),
    queryFn: () => answered(client.GET("/api/holds/{hold_id}/triage", { params: { path: { hold_id: id } } })),
  });
}

type Change = { assign: string | null } | { release: true } | { snooze: string } | { wake: true };

function sent(id: string, change: Change): Promise<Triage> {
  const params = { path: { hold_id: id } };
  if ("assign" in change) return answered(client.PUT("/api/holds/{hold_id}/assignee", { params, body: { person: change.assign } }));
  if ("release" in change) return answered(client.DELETE("/api/holds/{hold_id}/assignee", { params }));
  if ("snooze" in change) return answered(client.PUT("/api/holds/{hold_id}/snooze", { params, body: { until: change.snooze } }));
  return answered(client.DELETE("/api/holds/{hold_id}/snooze", { params }));
}

export function useTriage(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => sent(id, change),
    onSuccess: (now) => {
      queries.setQueryData(holdKeys.triage(id), now);
      recount(queries);
      void refreshRows([id], queries);
    },
    onError: (error) => toast({ title: problemFrom(error).message, tone: "error" }),
  });
}

const HOUR_MS = 3_600_000;
const MORNING = 8;

/** When to look at it again, in words: only what comes before the deadline. */
export function snoozes(now: number, expires: string | null): [until: string, words: string][] {
  const morning = (days: number) => {
    const at = new Date(now);
    at.setDate(at.getDate() + days);
    at.setHours(MORNING, 0, 0, 0);
    return at.getTime();
  };
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7;
  const offered: [number, string][] = [
    [now + HOUR_MS, WORDS.forAnHour],
    [now + 4 * HOUR_MS, "for 4 hours"],
    [morning(1), WORDS.untilTomorrowMorning],
    [morning(toMonday), WORDS.untilMondayMorning],
  ];
  const last = expires ? Date.parse(expires) : Number.POSITIVE_INFINITY;
  return offered.filter(([at]) => at < last).map(([at, words]) => [new Date(at).toISOString(), words]);
}
