/** Notifications on this device, also while no page is open: the browser's push subscription, and the server's list. */
import { queryOptions } from "@tanstack/react-query";
import { answered, client, Problem, type Schemas } from "@/lib/api";
import { toBytes, toText } from "@/lib/passkeys";
import { TEXTS } from "@/lib/texts";

const WORDS = TEXTS.push;

export type Device = Schemas["DeviceOut"];

export const pushQuery = queryOptions({
  queryKey: ["push"],
  queryFn: async () => ({ ...(await answered(client.GET("/api/me/push"))), here: await fingerprint() }),
});

/** Browsers offer it to pages with HTTPS or as localhost; on iOS once the page is installed. */
export function canPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

export async function switchOn(publicKey: string, label: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Problem(0, "push", WORDS.thisBrowserDoesNotAllow);
  }
  const worker = await navigator.serviceWorker.register("/worker.js");
  await navigator.serviceWorker.ready;
  // one that is there may be of somebody who was signed in before
  await (await worker.pushManager.getSubscription())?.unsubscribe();
  let made: PushSubscription;
  try {
    made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: toBytes(publicKey) });
  } catch {
    throw new Problem(0, "push", WORDS.theBrowsersPushServiceCould);
  }
  const key = (name: PushEncryptionKeyName) => toText(made.getKey(name) ?? new ArrayBuffer());
  try {
    await answered(client.POST("/api/me/push", { body: { endpoint: made.endpoint, p256dh: key("p256dh"), auth: key("auth"), label } }));
  } catch (error) {
    await made.unsubscribe();
    throw error;
  }
}

export async function switchOff(id: string): Promise<void> {
  await client.DELETE("/api/me/push/{device_id}", { params: { path: { device_id: id } } });
}

/** Before signing out: whoever uses this browser next is not told what was meant for somebody else. */
export async function forget(everywhere: boolean): Promise<void> {
  const own = await subscription();
  if (own === null && !everywhere) return;
  const [found, here] = [await answered(client.GET("/api/me/push")), await fingerprint()];
  for (const device of found.devices) if (everywhere || device.fingerprint === here) await switchOff(device.id);
  await own?.unsubscribe();
}

async function subscription(): Promise<PushSubscription | null> {
  if (!canPush()) return null;
  const worker = await navigator.serviceWorker.getRegistration("/");
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/** Which of a person's devices this is. */
async function fingerprint(): Promise<string | null> {
  const own = await subscription();
  if (own === null) return null;
  return toText(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(own.endpoint)));
}
