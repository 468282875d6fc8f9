import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import type { Delivery, DeliveryStatus } from "@/lib/channels";

export const PREVIEWED = ["slack", "linear", "email", "push", "webhook"] as const;
export type Previewed = (typeof PREVIEWED)[number];

/** Oldest first; the page shows what fits on one. */
export const deliveriesQuery = (status: DeliveryStatus) =>
  queryOptions({
    queryKey: ["deliveries", status],
    queryFn: () => answered(client.GET("/api/deliveries", { params: { query: { status, limit: 100 } } })),
  });

export async function retry(id: string): Promise<Delivery> {
  return await answered(client.POST("/api/deliveries/{delivery_id}/retry", { params: { path: { delivery_id: id } } }));
}

export const previewQuery = (hold: string, channel: Previewed) =>
  queryOptions({
    queryKey: ["preview", hold, channel],
    queryFn: async (): Promise<Schemas["Preview"]["message"]> => (await answered(client.GET("/api/holds/{hold_id}/messages/{channel}", { params: { path: { hold_id: hold, channel } } }))).message,
    retry: false,
  });
