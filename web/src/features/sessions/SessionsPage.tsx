/** The sessions, newest first, beside the one that is open where there is room. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useMemo } from "react";
import { Desk } from "@/components/desk";
import { Row } from "@/components/row";
import { Rows } from "@/components/rows";
import { RunMark, WORDS } from "@/components/run-mark";
import { SkillTabs } from "@/components/skill-tabs";
import { Pick } from "@/components/ui/pick";
import { sessionsQuery } from "@/features/sessions/api";
import { readSessionSearch } from "@/features/sessions/search";
import { TEXTS } from "@/features/sessions/texts";
import { line } from "@/lib/format";
import { useListKeys } from "@/lib/list-keys";
import { failure } from "@/lib/run-wording";
import { RUN_STATUS, SESSION_STATUSES, type Session, type SessionFilters } from "@/lib/sessions";
import { skillsQuery } from "@/lib/skills";

export function SessionsPage() {
  const filters: SessionFilters = useSearch({ from: "/shell/sessions" });
  const { sessionId: open } = useParams({ strict: false });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const list = useInfiniteQuery(sessionsQuery(filters));
  const sessions = useMemo(() => list.data?.pages.flatMap((page) => page.sessions) ?? [], [list.data]);
  const beside = pathname !== "/sessions";
  const teaches = sessions.length === 0 && list.isSuccess && Object.keys(filters).length === 0;
  const current = useListKeys(
    {
      ids: sessions.map((one) => one.session_id),
      open,
      show: (sessionId) => void navigate({ to: "/sessions/$sessionId", params: { sessionId }, search: filters }),
      leave: () => beside && void navigate({ to: "/sessions", search: filters }),
    },
    () => ({ n: () => void navigate({ to: "/sessions/start", search: filters }) }),
  );
  return (
    <Desk
      label={TEXTS.sessionsPage.sessions}
      beside={beside || teaches}
      list={
        <>
          <FilterBar filters={filters} />
          <Rows
            list={list}
            of={sessions}
            idOf={(one) => one.session_id}
            current={current}
            what={TEXTS.sessionsPage.what}
            label={TEXTS.sessionsPage.newestFirst}
            empty={<p className="px-6 py-12 text-center text-ink-3">{teaches ? TEXTS.sessionsPage.noSessionsYet : TEXTS.sessionsPage.noSessionsMatch}</p>}
          >
            {(one) => (
              <Row
                link={{ to: "/sessions/$sessionId", params: { sessionId: one.session_id }, search: filters }}
                current={one.session_id === current}
                mark={<RunMark status={RUN_STATUS[one.status]} />}
                at={one.created_at}
                title={one.skill_id}
                about={aboutOf(one)}
              />
            )}
          </Rows>
        </>
      }
    >
      <Outlet />
    </Desk>
  );
}

function aboutOf(session: Session): string {
  if (session.status === "FAILED") return failure(session.error)?.message ?? "failed";
  return `${session.short_id} · ${line(session.started_by.name)} · ${line(session.input)}`;
}

function FilterBar({ filters }: { filters: SessionFilters }) {
  const navigate = useNavigate();
  const skills = useQuery(skillsQuery).data ?? [];
  const names = [...new Set([...skills.map((one) => one.name), ...(filters.skill ? [filters.skill] : [])])].sort();
  function narrow(change: Record<string, unknown>) {
    void navigate({ to: "/sessions", search: (now: Record<string, unknown>) => readSessionSearch({ ...now, ...change }), replace: true });
  }
  return (
    <div className="space-y-2.5 border-b border-line px-4 pt-2.5 pb-3">
      <div className="flex items-center justify-between gap-3">
        <h1 className="sr-only">{TEXTS.sessionsPage.sessions}</h1>
        <SkillTabs at="/sessions" />
        <Link
          to="/sessions/start"
          search={filters}
          title={TEXTS.sessionsPage.startASession}
          className="inline-flex h-8 items-center gap-2 rounded-md border border-line bg-panel px-2.5 font-medium hover:bg-sunken"
        >
          <Play aria-hidden className="size-3.5" /> {TEXTS.sessionsPage.start}
        </Link>
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Pick
          label={TEXTS.sessionsPage.filterByStatus}
          every={TEXTS.sessionsPage.everyStatus}
          value={filters.status}
          options={SESSION_STATUSES.map((status) => [status, WORDS[RUN_STATUS[status]]])}
          onPick={(status) => narrow({ status })}
        />
        <Pick
          label={TEXTS.sessionsPage.filterBySkill}
          every={TEXTS.sessionsPage.everySkill}
          value={filters.skill}
          options={names.map((name) => [name, line(name)])}
          onPick={(skill) => narrow({ skill })}
        />
      </div>
    </div>
  );
}
