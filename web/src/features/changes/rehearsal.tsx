/** What tests of a change's components share: the recorded demo, and a page with an address, people and answers. */
import { readFileSync } from "node:fs";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";
import type { Deciding } from "@/components/deciding/deciding";
import { folded, NOTHING, type Change } from "@/features/changes/model";
import { readWorkSearch } from "@/features/changes/search";
import type { Detailed } from "@/lib/run-stream";

export const DEMO = JSON.parse(readFileSync("src/features/changes/recorded/demo-change.json", "utf8")) as Detailed[];

/** The demo up to the n-th event of this type. */
export function until(type: string, times = 1): Change {
  const at = DEMO.flatMap((event, index) => (event.type === type ? [index] : []))[times - 1] ?? -1;
  return folded(NOTHING, DEMO.slice(0, at + 1));
}

/** As a part of a change's page. */
export async function shown(children: ReactNode, { search = "", known = [] }: { search?: string; known?: [key: readonly unknown[], data: unknown][] } = {}) {
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell" });
  const page = createRoute({ getParentRoute: () => shell, path: "/changes/$changeId", validateSearch: readWorkSearch, component: () => children });
  const router = createRouter({ routeTree: root.addChildren([shell.addChildren([page])]), history: createMemoryHistory({ initialEntries: [`/changes/c1${search}`] }) });
  await router.load();
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } });
  for (const [key, data] of known) queries.setQueryData(key, data);
  render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return router;
}

export function deciding(more: Partial<Deciding> = {}) {
  const send = vi.fn<Deciding["send"]>();
  const nothing = () => undefined;
  const made: Deciding = {
    mode: "look",
    setMode: nothing,
    settled: true,
    reason: "",
    setReason: nothing,
    absent: null,
    setAbsent: nothing,
    approve: nothing,
    send,
    sending: false,
    refusal: null,
    mine: false,
    canWithdraw: false,
    withdraw: nothing,
    cancel: nothing,
    ...more,
  };
  return { made, send };
}
