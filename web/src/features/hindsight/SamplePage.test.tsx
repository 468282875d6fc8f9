// @vitest-environment jsdom
/** A sample is judged by one key, once it could be read; a finding says why; what somebody else judged is over. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { SamplePage } from "@/features/hindsight/SamplePage";
import { aHold } from "@/lib/samples";
import { READABLE_MS } from "@/lib/settled";

const ME = { id: "p1", name: "Ann", kind: "human", roles: ["team_lead"], scopes: ["decide"], csrf_token: null, dates: {} };
const FIRST = "01980a3e-5d2c-7b64-9f13-2f6b1c0d4e01";
const SECOND = "01980a3e-5d2c-7b64-9f13-2f6b1c0d4e02";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const hold = (id: string) => aHold({ id, risk: "low", status: "approved", title: `Read ${id.slice(-1)}`, action: { name: "read_ledger", args: { month: 5 }, target: null } });

function sampleOf(id: string) {
  const { short_id, title, action, opened_by, opened_at } = hold(id);
  return { hold_id: id, short_id, title, action, opened_by, opened_at, drawn_at: opened_at, looked_at: null, finding: null, reason: null };
}

async function opened(waiting: string[]) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/api/me") return Response.json(ME);
    if (pathname === "/api/samples") return Response.json({ samples: waiting.map(sampleOf), proposals: [], raised: [], rates: [] });
    const id = pathname.split("/")[3] ?? "";
    if (request.method === "POST") sent.push({ id, ...((await request.json()) as object) });
    return Response.json(request.method === "POST" ? sampleOf(id) : hold(id));
  });
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell" });
  const list = createRoute({ getParentRoute: () => shell, path: "/insights/samples" });
  const one = createRoute({ getParentRoute: () => list, path: "$holdId", component: SamplePage });
  const findings = createRoute({ getParentRoute: () => list, path: "findings" });
  const history = createMemoryHistory({ initialEntries: [`/insights/samples/${FIRST}`] });
  const router = createRouter({ routeTree: root.addChildren([shell.addChildren([list.addChildren([findings, one])])]), history });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByRole("article", { name: "Read 1" });
  return { sent, router };
}

const readable = () => act(() => vi.advanceTimersByTimeAsync(READABLE_MS));
const press = (key: string) => fireEvent.keyDown(window, { key });

test("a key that comes before it could be read says nothing; then one key does, and the next one opens", async () => {
  const { sent, router } = await opened([FIRST, SECOND]);
  await screen.findByRole("button", { name: /Fine/ });
  press("f");
  expect(sent).toEqual([]);
  await readable();
  press("f");
  await vi.waitFor(() => expect(router.state.location.pathname).toBe(`/insights/samples/${SECOND}`));
  expect(sent).toEqual([{ id: FIRST, finding: false, reason: null }]);
});

test("a finding says why", async () => {
  const { sent, router } = await opened([FIRST]);
  await screen.findByRole("button", { name: /Fine/ });
  await readable();
  press("r");
  const why = await screen.findByRole("textbox");
  expect(document.activeElement).toBe(why);
  fireEvent.keyDown(why, { key: "Enter" });
  fireEvent.change(why, { target: { value: "it shows salaries" } });
  expect(sent).toEqual([]);
  fireEvent.keyDown(why, { key: "Enter" });
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/insights/samples/findings"));
  expect(sent).toEqual([{ id: FIRST, finding: true, reason: "it shows salaries" }]);
});

test("what somebody else has looked at is over", async () => {
  const { sent } = await opened([SECOND]);
  expect((await screen.findByRole("status")).textContent).toContain("Somebody has looked at this");
  await readable();
  press("f");
  expect(screen.queryByRole("button", { name: /Fine/ })).toBeNull();
  expect(sent).toEqual([]);
});
