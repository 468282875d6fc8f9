/** What ran unasked and was drawn to be looked at, with the one that is open, or what findings led to. */
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { Desk, Fetched } from "@/components/desk";
import { ROW_PX } from "@/components/rows";
import { Row } from "@/components/row";
import { RiskWord } from "@/components/risk";
import { buttonLook } from "@/components/ui/button";
import { TEXTS } from "@/features/hindsight/texts";
import { line } from "@/lib/format";
import { useListKeys } from "@/lib/list-keys";
import { samplesQuery } from "@/lib/sampling";

const WORDS = TEXTS.samples;

export function SamplesPage() {
  const { holdId: open } = useParams({ strict: false });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const found = useQuery(samplesQuery);
  const current = useListKeys(
    {
      ids: (found.data?.samples ?? []).map((one) => one.hold_id),
      open,
      show: (holdId) => void navigate({ to: "/insights/samples/$holdId", params: { holdId } }),
      leave: () => open && void navigate({ to: "/insights/samples" }),
    },
    () => ({}),
  );
  return (
    <Desk
      label={WORDS.title}
      beside={open !== undefined || pathname.endsWith("/findings")}
      list={
        <>
          <div className="space-y-2.5 border-b border-line px-4 pt-3 pb-3">
            <div className="flex items-center gap-2">
              <h1 className="mr-auto text-base font-semibold">{WORDS.title}</h1>
              <Link to="/insights" className={buttonLook({ size: "sm", tone: "ghost" })}>
                {WORDS.insights}
              </Link>
              <Link to="/insights/samples/findings" className={buttonLook({ size: "sm" })}>
                {WORDS.findings}
              </Link>
            </div>
            <p className="text-xs text-ink-2">{WORDS.intro}</p>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto">
            <Fetched query={found} what={WORDS.loading}>
              {({ samples, rates }) =>
                samples.length === 0 ? (
                  <p className="px-6 py-12 text-center text-ink-3">{rates.length === 0 ? WORDS.undrawn : WORDS.none}</p>
                ) : (
                  <ul aria-label={WORDS.list}>
                    {samples.map((one) => (
                      <li key={one.hold_id} style={{ height: ROW_PX }}>
                        <Row
                          link={{ to: "/insights/samples/$holdId", params: { holdId: one.hold_id } }}
                          current={one.hold_id === current}
                          mark={<RiskWord level="low" />}
                          at={one.opened_at}
                          title={one.title}
                          about={`${line(one.action.name)} · ${line(one.opened_by.name)}`}
                        />
                      </li>
                    ))}
                  </ul>
                )
              }
            </Fetched>
          </div>
        </>
      }
    >
      <Outlet />
    </Desk>
  );
}
