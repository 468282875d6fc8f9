/** The frame of every page behind the sign-in: top bar, navigation, the page. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { Suspense, useCallback, useEffect, useLayoutEffect, useState } from "react";
import { useLive } from "@/app/live";
import { DESTINATIONS, type Destination } from "@/app/nav";
import { TEXTS } from "@/app/texts";
import { Logo } from "@/components/logo";
import { Toasts } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { BrakeBanner, BrakeButton } from "@/features/brake/BrakeButton";
import { problemFrom } from "@/lib/api";
import { cn } from "@/lib/cn";
import { useConnection } from "@/lib/connection";
import { countsQuery, total } from "@/lib/counts";
import { keepTyped, takeTyped, useKeys } from "@/lib/keys";
import { lazy } from "@/lib/lazy";
import { meQuery, useMe } from "@/lib/me";

const WORDS = TEXTS.shell;

// none is needed to begin with; menus are a sixth of all script
const KeyHelp = lazy(() => import("@/app/KeyHelp"));
const Undo = lazy(() => import("@/components/undo"));
const Bell = lazy(() => import("@/app/Bell"));
const PersonMenu = lazy(() => import("@/app/PersonMenu"));
const OtherPages = lazy(() => import("@/app/OtherPages"));
const Palette = lazy(() => import("@/app/Commands"));

export function Shell() {
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [helping, setHelping] = useState(false);
  const [finding, setFinding] = useState(false);
  const find = useCallback(() => {
    // what is typed before the palette is there is for it, and approves nothing
    keepTyped();
    setFinding(true);
  }, []);
  // before anything is painted, as all keys
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) find();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [find]);
  useEffect(() => (finding ? () => void takeTyped() : undefined), [finding]);
  const waiting = total(useQuery(countsQuery({ view: "needs_me" })).data);
  const leave = useCallback(() => {
    const next = location.pathname + location.search;
    queries.removeQueries({ queryKey: meQuery.queryKey });
    void navigate({ href: `/sign-in?next=${encodeURIComponent(next)}` });
  }, [navigate, queries]);
  // where it was when this page was opened: who is signed in may be read again
  const [from] = useState(me.cursor);
  useLive(leave, from);

  const shown = DESTINATIONS.filter((one) => one.shown?.(me) ?? true);
  useKeys({
    "?": () => setHelping(true),
    "g m": () => void navigate({ to: "/account" }),
    ...Object.fromEntries(shown.map((one) => [`g ${one.key}`, () => void navigate({ to: one.to })])),
  });
  const here = shown.find((one) => isAt(one, pathname));
  useEffect(() => {
    const badge = waiting.count > 0 ? `(${waiting.text}) ` : "";
    document.title = `${badge}${here ? `${here.label} · ` : ""}Handrail`;
  }, [waiting.count, waiting.text, here]);

  return (
    <div className="relative flex h-dvh flex-col overflow-hidden">
      <a href="#page" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-panel focus:p-3">
        {WORDS.skipToContent}
      </a>
      <header className="flex h-13 shrink-0 items-center gap-1 border-b border-line bg-panel px-3 sm:gap-3 sm:px-4">
        <Link to="/inbox" aria-label={WORDS.handrail} className="flex items-center">
          <Logo />
        </Link>
        <button
          type="button"
          className="ml-2 hidden h-8 w-56 cursor-pointer items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-ink-3 hover:text-ink md:flex"
          onClick={find}
        >
          <Search aria-hidden className="size-4" />
          <span className="flex-1 text-left">{WORDS.goToAnything}</span>
          <kbd className="text-xs">{WORDS.ctrlK}</kbd>
        </button>
        <div className="flex-1" />
        <ConnectionState />
        <Button tone="ghost" size="icon" className="md:hidden" aria-label={WORDS.goToAnything} onClick={find}>
          <Search aria-hidden className="size-4" />
        </Button>
        <Suspense fallback={<span className="size-9" />}>
          <Bell />
        </Suspense>
        <Suspense>
          <Undo />
        </Suspense>
        <BrakeButton />
        <Button tone="ghost" size="icon" className="hidden md:inline-flex" aria-label={WORDS.keyboardShortcuts} title={WORDS.shortcutsByKey} onClick={() => setHelping(true)}>
          <span aria-hidden className="font-mono">?</span>
        </Button>
        <Suspense fallback={<span className="h-8 w-11 sm:w-24" />}>
          <PersonMenu me={me} />
        </Suspense>
      </header>
      <BrakeBanner />
      <div className="flex min-h-0 flex-1 flex-col-reverse md:flex-row">
        <nav
          aria-label={WORDS.pages}
          className="flex shrink-0 justify-around border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] md:w-14 md:flex-col md:justify-start md:gap-1 md:border-t-0 md:border-r md:bg-transparent md:p-2 xl:w-44"
        >
          {shown.map((one, index) => (
            <NavLink key={one.to} to={one} current={one === here} count={one.to === "/inbox" ? waiting.text : null} className={index < ON_A_PHONE ? "" : "max-md:hidden"} />
          ))}
          <Suspense fallback={<span className="flex-1 md:hidden" />}>
            <OtherPages of={shown.slice(ON_A_PHONE)} here={here} />
          </Suspense>
        </nav>
        <main id="page" tabIndex={-1} className="min-h-0 min-w-0 flex-1 outline-none">
          <Outlet />
        </main>
      </div>
      <Toasts />
      {finding ? (
        <Suspense>
          <Palette shown={shown} onHelp={() => setHelping(true)} onClose={() => setFinding(false)} />
        </Suspense>
      ) : null}
      {helping ? (
        <Suspense>
          <KeyHelp onClose={() => setHelping(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

function isAt(destination: Destination, pathname: string): boolean {
  return pathname.startsWith(destination.to) || (destination.also !== undefined && pathname.startsWith(destination.also));
}

// as many as a thumb can tell apart; the others are behind one more
const ON_A_PHONE = 4;

function NavLink({ to, current, count, className }: { to: Destination; current: boolean; count: string | null; className: string }) {
  const Icon = to.icon;
  return (
    <Link
      to={to.to}
      aria-current={current ? "page" : undefined}
      title={`${to.label} (g ${to.key})`}
      className={cn(
        "flex min-w-0 flex-1 flex-col items-center gap-0.5 rounded-md px-2 py-2 text-xs text-ink-2 hover:bg-sunken hover:text-ink md:flex-none xl:flex-row xl:gap-3 xl:px-3 xl:text-sm",
        current && "font-medium text-ink xl:bg-sunken",
        className,
      )}
    >
      <Icon aria-hidden className={cn("size-4.5", current && "text-accent")} />
      <span className="md:max-xl:sr-only xl:flex-1">{to.label}</span>
      {count && count !== "0" ? (
        <span className="hidden text-xs text-ink-2 tabular-nums xl:inline" aria-label={WORDS.waiting(count)}>
          {count}
        </span>
      ) : null}
    </Link>
  );
}

function ConnectionState() {
  const state = useConnection();
  if (state === "live") {
    return (
      <span role="status" className="inline-flex items-center gap-2 text-xs text-ink-3" title={WORDS.everythingYouSeeIsUp}>
        <span aria-hidden className="size-2 rounded-full bg-good" />
        <span className="max-sm:sr-only">{WORDS.live}</span>
      </span>
    );
  }
  return (
    <span role="status" className="inline-flex min-w-0 items-center gap-2 text-xs text-high">
      <span aria-hidden className="size-2 shrink-0 rounded-full border-2 border-high" />
      <span className="truncate">{state === "connecting" ? WORDS.connecting : WORDS.reconnectingThisPageMayBe}</span>
    </span>
  );
}

/** In place of a page that failed. Without a way to the server, loading it again would end at the browser's own error. */
export function TroublePage({ error }: ErrorComponentProps) {
  const problem = problemFrom(error);
  const router = useRouter();
  return (
    <div className="mx-auto max-w-lg p-6 pt-16">
      <Notice tone="error" heading title={problem.message}>
        <p>{WORDS.noDecisionHasBeenLost}</p>
        <Button className="mt-3" onClick={() => (problem.unreachable ? void router.invalidate() : location.reload())}>
          {WORDS.tryAgain}
        </Button>
      </Notice>
    </div>
  );
}

export function NotFoundPage() {
  return (
    <main className="mx-auto max-w-lg space-y-6 p-6 pt-16">
      <Logo />
      <Notice heading title={WORDS.thereIsNoPageAt}>
        <Link to="/inbox" className="underline">
          {WORDS.goToInbox}
        </Link>
      </Notice>
    </main>
  );
}
