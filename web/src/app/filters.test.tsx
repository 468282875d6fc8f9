// @vitest-environment jsdom
/** Filters of the list pages: two that change at once, before the page was drawn again, both count. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider, type RouteComponent } from "@tanstack/react-router";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ChangesPage } from "@/features/changes/ChangesPage";
import { readChangeSearch } from "@/features/changes/search";
import { ReportPage } from "@/features/hindsight/ReportPage";
import { readReportSearch } from "@/features/hindsight/search";
import { RunsPage } from "@/features/runs/RunsPage";
import { readRunSearch } from "@/features/runs/search";
import { SessionsPage } from "@/features/sessions/SessionsPage";
import { readSessionSearch } from "@/features/sessions/search";
import { readSkillSearch } from "@/features/skills/search";
import { SkillsPage } from "@/features/skills/SkillsPage";

const ME = { id: "p1", name: "Ann", kind: "human", roles: ["auditor"], scopes: [], csrf_token: null, dates: {} };
const NOTHING = { runs: [], sessions: [], changes: [], skills: [], workflows: [], repositories: [], matches: [], next: null };

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function opened(path: string, address: string, page: RouteComponent, read: (search: Record<string, unknown>) => object) {
  vi.stubGlobal("fetch", (request: Request) => Promise.resolve(Response.json(request.url.endsWith("/api/me") ? ME : NOTHING)));
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell" });
  const list = createRoute({ getParentRoute: () => shell, path, component: page, validateSearch: read });
  const one = createRoute({ getParentRoute: () => list, path: "$name" });
  const router = createRouter({ routeTree: root.addChildren([shell.addChildren([list.addChildren([one])])]), history: createMemoryHistory({ initialEntries: [address] }) });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return router;
}

const pick = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test.each([
  ["/runs", RunsPage, readRunSearch, "?workflow=rollout", [["Filter by status", "failed"], ["Filter by workflow", ""]], { status: "failed" }],
  ["/sessions", SessionsPage, readSessionSearch, "?skill=triage", [["Filter by status", "FAILED"], ["Filter by skill", ""]], { status: "FAILED" }],
  ["/changes", ChangesPage, readChangeSearch, "?repo_url=a", [["Filter by status", "failed"], ["Filter by repository", ""]], { status: "failed" }],
  ["/report", ReportPage, readReportSearch, "", [["From", "2026-11-01"], ["To", "2026-11-10"]], { from: "2026-11-01", to: "2026-11-10" }],
] as const)("on %s no filter takes back another", async (path, page, read, search, picks, kept) => {
  const router = opened(path, path + search, page, read);
  await screen.findByLabelText(picks[0][0]);
  act(() => {
    for (const [label, value] of picks) pick(label, value);
  });
  await vi.waitFor(() => expect(router.state.location.search).toEqual(kept));
});

test("a search for skills keeps the version that is open", async () => {
  const router = opened("/skills", "/skills/triage?version=2", SkillsPage, readSkillSearch);
  const box = await screen.findByRole("searchbox");
  fireEvent.change(box, { target: { value: "sort mail" } });
  await vi.waitFor(() => expect(router.state.location.search).toEqual({ text: "sort mail", version: 2 }));
});
