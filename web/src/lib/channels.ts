/** Channels by which people are notified: which reach whom, how one chose, accounts elsewhere, what messages look like. */
import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "@/lib/api";
import { TEXTS } from "@/lib/texts";

const WORDS = TEXTS.channels;

export type Channel = Schemas["ChannelOut"];
export type Choice = Schemas["NotificationChoice"];
export type LinkedAccount = Schemas["LinkOut"];
export type Delivery = Schemas["DeliveryOut"];
export type DeliveryStatus = Delivery["status"];

export const NAMES: Record<string, string> = { slack: "Slack", email: "Email", push: "Push", linear: "Linear", webhook: "Webhook", web: "Inbox", cli: WORDS.commandLine };

export function named(channel: string): string {
  return NAMES[channel] ?? channel;
}

export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  queryFn: async () => (await answered(client.GET("/api/channels"))).channels,
});

export async function testChannel(channel: string): Promise<void> {
  await client.POST("/api/channels/{channel}/test", { params: { path: { channel } } });
}

export const choiceQuery = queryOptions({
  queryKey: ["notification-choice"],
  queryFn: () => answered(client.GET("/api/me/notifications")),
});

export async function choose(body: Choice): Promise<Choice> {
  return await answered(client.PUT("/api/me/notifications", { body }));
}

export const linksQuery = queryOptions({
  queryKey: ["links"],
  queryFn: async () => (await answered(client.GET("/api/me/links"))).links,
});

export async function makeLink(body: Schemas["MakeLink"]): Promise<Schemas["LinkCode"]> {
  return await answered(client.POST("/api/me/links", { body }));
}

export async function linkProgram(): Promise<Schemas["ProgramLink"]> {
  return await answered(client.POST("/api/me/links/webhook"));
}

export async function unlink(id: string): Promise<void> {
  await client.DELETE("/api/me/links/{link_id}", { params: { path: { link_id: id } } });
}
