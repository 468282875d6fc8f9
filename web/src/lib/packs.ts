/** Decision packs: what is known about a hold, and which pack is on the screen. */
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { holdKeys, type Hold } from "@/lib/holds";

type Seen = Pick<Hold, "id" | "digest">;

export function packQuery(hold: Seen) {
  return queryOptions({
    queryKey: holdKeys.pack(hold.id, hold.digest),
    queryFn: () => answered(client.GET("/api/holds/{hold_id}/pack", { params: { path: { hold_id: hold.id } } })),
    // what is on the screen stays there until the hold changes
    staleTime: Infinity,
  });
}

/** The hash of the pack that this page shows, if it has come; a review says so. */
export function shownPack(queries: QueryClient, hold: Seen): string | null {
  const shown = queries.getQueryData<Schemas["PackOut"]>(holdKeys.pack(hold.id, hold.digest));
  return shown?.digest === hold.digest ? shown.hash : null;
}
