/** Parts of a page that are loaded when they are first shown, and what happens where they cannot be.
 *
 * A browser asks for a part once: one that failed fails for as long as its page is there. So the page is loaded again, as
 * soon as the server answers; what a person has typed survives that (drafts.ts). A server that answers without the part
 * was updated, and its new page has its own. */
import { lazy as loadedOnce, type ComponentType, type LazyExoticComponent } from "react";

const BETWEEN_LOOKS_MS = 1000;
/** A part that never comes must not have the page load itself without end. */
const BETWEEN_LOADS_MS = 10_000;

/** React's own `lazy`, except that a part that cannot be loaded does not take the page with it. */
// props of any kind, as React's own
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export function lazy<Part extends ComponentType<any>>(load: () => Promise<{ default: Part }>): LazyExoticComponent<Part> {
  return loadedOnce(() => load().catch(() => new Promise<never>(() => void renew())));
}

let renewing = false;

/** Loads the page again once the server answers. */
export async function renew(): Promise<void> {
  if (renewing) return;
  renewing = true;
  await pause(untilAllowed());
  while (!(await answers())) await pause(BETWEEN_LOOKS_MS);
  location.reload();
}

function untilAllowed(): number {
  const [loaded] = performance.getEntriesByType("navigation");
  const again = loaded instanceof PerformanceNavigationTiming && loaded.type === "reload";
  return again ? Math.max(0, BETWEEN_LOADS_MS - performance.now()) : 0;
}

function answers(): Promise<boolean> {
  return fetch("/health").then(({ ok }) => ok, () => false);
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}
