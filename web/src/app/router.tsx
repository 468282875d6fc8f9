/** The addresses, and the page at each. Pages load when they are opened; a new one is a route here and a line in nav.ts. */
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { queries } from "@/app/queries";
import { TEXTS } from "@/app/texts";
import { NotFoundPage, Shell, TroublePage } from "@/app/Shell";
import { readAuditSearch } from "@/features/audit/search";
import { readChangeSearch, readWorkSearch } from "@/features/changes/search";
import { readReportSearch } from "@/features/hindsight/search";
import { readPreviewSearch } from "@/features/notifications/search";
import { readRunSearch } from "@/features/runs/search";
import { readSessionSearch } from "@/features/sessions/search";
import { readSkillSearch } from "@/features/skills/search";
import { parseSearch, stringifySearch } from "@/lib/address";
import { readInsightSearch } from "@/lib/insight-search";
import { readInboxSearch } from "@/lib/inbox-search";
import { Problem } from "@/lib/api";
import { fetchChange } from "@/lib/code-changes";
import { fetchHold } from "@/lib/holds";
import { meQuery } from "@/lib/me";
import { fetchRun } from "@/lib/runs";
import { fetchSession } from "@/lib/sessions";
import { longId } from "@/lib/short-ids";

/** A page that is loaded when it is opened. Where it cannot be, the way to the server is at fault: it says so, in the
 * frame, and can be tried again. (The router itself would load the whole page again, which ends at the browser's error.) */
function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch {
      throw new Problem(0, "unreachable", TEXTS.shell.notLoaded);
    }
  }, name);
}

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: page(() => import("@/features/auth/SignInPage"), "SignInPage"),
});

const docs = createRoute({
  getParentRoute: () => root,
  path: "/docs",
  component: page(() => import("@/features/docs/DocsPage"), "DocsPage"),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  errorComponent: TroublePage,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queries.query({ ...meQuery, staleTime: "static" });
    } catch (error) {
      if (!(error instanceof Problem && error.status === 401)) throw error;
      // the router's way to go elsewhere
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw redirect({ href: `/sign-in?next=${encodeURIComponent(location.href)}` });
    }
  },
});

const home = createRoute({
  getParentRoute: () => shell,
  path: "/",
  beforeLoad: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw redirect({ to: "/inbox" });
  },
});

// the list beside the hold: both addresses show both, where there is room
const desk = createRoute({
  getParentRoute: () => shell,
  id: "desk",
  validateSearch: readInboxSearch,
  component: page(() => import("@/features/inbox/InboxPage"), "InboxPage"),
});
const inbox = createRoute({
  getParentRoute: () => desk,
  path: "/inbox",
  component: page(() => import("@/features/inbox/NothingOpen"), "NothingOpen"),
});
const hold = createRoute({
  getParentRoute: () => desk,
  path: "/holds/$holdId",
  beforeLoad: async ({ params, search }) => {
    const holdId = await longId(params.holdId, async (short) => (await fetchHold(short)).id);
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    if (holdId) throw redirect({ to: "/holds/$holdId", params: { holdId }, search, replace: true });
  },
  component: page(() => import("@/features/hold/HoldPage"), "HoldPage"),
});

const runs = createRoute({
  getParentRoute: () => shell,
  path: "/runs",
  validateSearch: readRunSearch,
  component: page(() => import("@/features/runs/RunsPage"), "RunsPage"),
});
const noRun = createRoute({
  getParentRoute: () => runs,
  path: "/",
  component: page(() => import("@/features/runs/NoRunOpen"), "NoRunOpen"),
});
const startRun = createRoute({
  getParentRoute: () => runs,
  path: "/start",
  component: page(() => import("@/features/runs/StartPage"), "StartPage"),
});
const run = createRoute({
  getParentRoute: () => runs,
  path: "/$runId",
  beforeLoad: async ({ params, search }) => {
    const runId = await longId(params.runId, async (short) => (await fetchRun(short)).id);
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    if (runId) throw redirect({ to: "/runs/$runId", params: { runId }, search, replace: true });
  },
  component: page(() => import("@/features/runs/RunPage"), "RunPage"),
});

const changes = createRoute({
  getParentRoute: () => shell,
  path: "/changes",
  validateSearch: readChangeSearch,
  component: page(() => import("@/features/changes/ChangesPage"), "ChangesPage"),
});
const startChange = createRoute({
  getParentRoute: () => shell,
  path: "/changes/start",
  component: page(() => import("@/features/changes/StartPage"), "StartPage"),
});
const change = createRoute({
  getParentRoute: () => shell,
  path: "/changes/$changeId",
  validateSearch: readWorkSearch,
  beforeLoad: async ({ params, search }) => {
    const changeId = await longId(params.changeId, async (short) => (await fetchChange(short)).id);
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    if (changeId) throw redirect({ to: "/changes/$changeId", params: { changeId }, search, replace: true });
  },
  component: page(() => import("@/features/changes/ChangePage"), "ChangePage"),
});

const skills = createRoute({
  getParentRoute: () => shell,
  path: "/skills",
  validateSearch: readSkillSearch,
  component: page(() => import("@/features/skills/SkillsPage"), "SkillsPage"),
});
const noSkill = createRoute({
  getParentRoute: () => skills,
  path: "/",
  component: page(() => import("@/features/skills/NoSkillOpen"), "NoSkillOpen"),
});
const queue = createRoute({
  getParentRoute: () => skills,
  path: "/queue",
  component: page(() => import("@/features/skills/QueuePage"), "QueuePage"),
});
const skill = createRoute({
  getParentRoute: () => skills,
  path: "/$name",
  component: page(() => import("@/features/skills/SkillPage"), "SkillPage"),
});

const sessions = createRoute({
  getParentRoute: () => shell,
  path: "/sessions",
  validateSearch: readSessionSearch,
  component: page(() => import("@/features/sessions/SessionsPage"), "SessionsPage"),
});
const noSession = createRoute({
  getParentRoute: () => sessions,
  path: "/",
  component: page(() => import("@/features/sessions/NoSessionOpen"), "NoSessionOpen"),
});
const startSession = createRoute({
  getParentRoute: () => sessions,
  path: "/start",
  component: page(() => import("@/features/sessions/StartPage"), "StartPage"),
});
const session = createRoute({
  getParentRoute: () => sessions,
  path: "/$sessionId",
  beforeLoad: async ({ params, search }) => {
    const sessionId = await longId(params.sessionId, async (short) => (await fetchSession(short)).session_id);
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    if (sessionId) throw redirect({ to: "/sessions/$sessionId", params: { sessionId }, search, replace: true });
  },
  component: page(() => import("@/features/sessions/SessionPage"), "SessionPage"),
});

const policy = createRoute({
  getParentRoute: () => shell,
  path: "/policy",
  validateSearch: (search: Record<string, unknown>): { edit?: boolean } => (search.edit === true ? { edit: true } : {}),
  component: page(() => import("@/features/policy/PolicyPage"), "PolicyPage"),
});
const grants = createRoute({
  getParentRoute: () => shell,
  path: "/grants",
  component: page(() => import("@/features/grants/GrantsPage"), "GrantsPage"),
});
const audit = createRoute({
  getParentRoute: () => shell,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: page(() => import("@/features/audit/AuditPage"), "AuditPage"),
});
const agents = createRoute({
  getParentRoute: () => shell,
  path: "/agents",
  component: page(() => import("@/features/agents/AgentsPage"), "AgentsPage"),
});
const noAgent = createRoute({
  getParentRoute: () => agents,
  path: "/",
  component: page(() => import("@/features/agents/AgentsPage"), "NoAgentOpen"),
});
const agent = createRoute({
  getParentRoute: () => agents,
  path: "/$agentId",
  component: page(() => import("@/features/agents/AgentPage"), "AgentPage"),
});
const insights = createRoute({
  getParentRoute: () => shell,
  path: "/insights",
  validateSearch: readInsightSearch,
  component: page(() => import("@/features/insights/InsightsPage"), "InsightsPage"),
});
const fatigue = createRoute({
  getParentRoute: () => shell,
  path: "/insights/fatigue",
  component: page(() => import("@/features/hindsight/FatiguePage"), "FatiguePage"),
});
const samples = createRoute({
  getParentRoute: () => shell,
  path: "/insights/samples",
  component: page(() => import("@/features/hindsight/SamplesPage"), "SamplesPage"),
});
const noSample = createRoute({
  getParentRoute: () => samples,
  path: "/",
  component: page(() => import("@/features/hindsight/Findings"), "Findings"),
});
const findings = createRoute({
  getParentRoute: () => samples,
  path: "/findings",
  component: page(() => import("@/features/hindsight/Findings"), "Findings"),
});
const sample = createRoute({
  getParentRoute: () => samples,
  path: "/$holdId",
  component: page(() => import("@/features/hindsight/SamplePage"), "SamplePage"),
});
const report = createRoute({
  getParentRoute: () => shell,
  path: "/report",
  validateSearch: readReportSearch,
  component: page(() => import("@/features/hindsight/ReportPage"), "ReportPage"),
});
const people = createRoute({
  getParentRoute: () => shell,
  path: "/people",
  component: page(() => import("@/features/people/PeoplePage"), "PeoplePage"),
});

const notifications = createRoute({
  getParentRoute: () => shell,
  path: "/notifications",
  component: page(() => import("@/features/notifications/NotificationsPage"), "NotificationsPage"),
});
const preview = createRoute({
  getParentRoute: () => shell,
  path: "/notifications/preview",
  validateSearch: readPreviewSearch,
  component: page(() => import("@/features/notifications/PreviewPage"), "PreviewPage"),
});

const account = createRoute({
  getParentRoute: () => shell,
  path: "/account",
  component: page(() => import("@/features/account/AccountPage"), "AccountPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    docs,
    shell.addChildren([
      home,
      desk.addChildren([inbox, hold]),
      runs.addChildren([noRun, startRun, run]),
      changes,
      startChange,
      change,
      skills.addChildren([noSkill, queue, skill]),
      sessions.addChildren([noSession, startSession, session]),
      agents.addChildren([noAgent, agent]),
      insights,
      fatigue,
      samples.addChildren([noSample, findings, sample]),
      report,
      policy,
      grants,
      audit,
      people,
      notifications,
      preview,
      account,
    ]),
  ]),
  context: { queries },
  parseSearch,
  stringifySearch,
  defaultErrorComponent: TroublePage,
  defaultPreload: false,
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
