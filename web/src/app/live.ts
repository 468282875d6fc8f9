/** The one event stream of the page: what each kind of event changes in the cache. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { auditLive } from "@/features/audit/api";
import { agentsLive } from "@/lib/agents";
import { brakeLive } from "@/lib/brakes";
import { grantsLive } from "@/features/grants/api";
import { peopleLive } from "@/features/people/api";
import { insightsLive } from "@/lib/insights";
import { policyLive } from "@/features/policy/api";
import { changesLive } from "@/lib/code-changes";
import { setConnection } from "@/lib/connection";
import { holdsLive } from "@/lib/holds";
import { dispatcher, type LiveMap } from "@/lib/live";
import { noticesLive } from "@/lib/notices";
import { notificationsLive } from "@/lib/notifications";
import { runsLive } from "@/lib/runs";
import { samplesLive } from "@/lib/sampling";
import { sessionsLive } from "@/lib/sessions";
import { skillsLive } from "@/lib/skills";
import { follow } from "@/lib/tabs";
import { tokensLive } from "@/lib/tokens";

// a new kind of event: its map here
const MAPS: LiveMap[] = [holdsLive, noticesLive, notificationsLive, brakeLive, policyLive, grantsLive, peopleLive, tokensLive, auditLive, insightsLive, samplesLive, agentsLive, runsLive, changesLive, skillsLive, sessionsLive];

/** `from` is where the stream was when the first thing was fetched. */
export function useLive(onSignedOut: () => void, from: number): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      follow(
        {
          onEntry: dispatcher(MAPS, queries),
          onState: setConnection,
          onGap: () => void queries.invalidateQueries({ predicate: (query) => query.queryKey[0] !== "me" }),
          onSignedOut,
        },
        from,
      ),
    [queries, onSignedOut, from],
  );
}
