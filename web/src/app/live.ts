/** The one event stream of the page: what each kind of event changes in the cache. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { auditLive } from "@/features/audit/api";
import { brakeLive } from "@/features/brake/api";
import { peopleLive } from "@/features/people/api";
import { policyLive } from "@/features/policy/api";
import { changesLive } from "@/lib/code-changes";
import { setConnection } from "@/lib/connection";
import { holdsLive } from "@/lib/holds";
import { dispatcher, type LiveMap } from "@/lib/live";
import { notificationsLive } from "@/lib/notifications";
import { runsLive } from "@/lib/runs";
import { sessionsLive } from "@/lib/sessions";
import { skillsLive } from "@/lib/skills";
import { follow } from "@/lib/tabs";
import { tokensLive } from "@/lib/tokens";

// a new kind of event: its map here
const MAPS: LiveMap[] = [holdsLive, notificationsLive, brakeLive, policyLive, peopleLive, tokensLive, auditLive, runsLive, changesLive, skillsLive, sessionsLive];

export function useLive(onSignedOut: () => void): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      follow({
        onEntry: dispatcher(MAPS, queries),
        onState: setConnection,
        onGap: () => void queries.invalidateQueries({ predicate: (query) => query.queryKey[0] !== "me" }),
        onSignedOut,
      }),
    [queries, onSignedOut],
  );
}
