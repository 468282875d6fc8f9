/** The past under a changed policy, as a resource. */
import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { serverNow } from "@/lib/clock";

export type Replay = Schemas["ReplayOut"];

const DAYS = 30;
const DAY_MS = 86_400_000;

export function daysAgo(days: number): string {
  return new Date(serverNow() - days * DAY_MS).toISOString();
}

/** The last 30 days under these files. */
export function replayQuery(files: Record<string, string>) {
  return queryOptions({
    queryKey: ["policy", "replay", files],
    queryFn: ({ signal }) => answered(client.POST("/api/policy/replay", { body: { files, since: daysAgo(DAYS) }, signal })),
    gcTime: 0,
    retry: false,
  });
}
