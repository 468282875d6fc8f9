/** What a preview shows, in its address. */
import { PREVIEWED, type Previewed } from "@/features/notifications/api";

export interface PreviewSearch {
  hold?: string;
  channel?: Previewed;
}

export function readPreviewSearch(search: Record<string, unknown>): PreviewSearch {
  const channel = PREVIEWED.find((one) => one === search.channel);
  return { ...(typeof search.hold === "string" && search.hold ? { hold: search.hold.slice(0, 60) } : {}), ...(channel ? { channel } : {}) };
}
