/** One agent: what it asks, what becomes of it, what its runs use, and what stops it. */
import { useQuery } from "@tanstack/react-query";
import { Link, linkOptions, useParams } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { Beside, Fetched } from "@/components/desk";
import { Tile, Tiles } from "@/components/plots/Tile";
import { OutcomePlot } from "@/components/plots/OutcomePlot";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { TEXTS } from "@/features/agents/texts";
import { agentQuery, type AgentDetail } from "@/lib/agents";
import { line, share } from "@/lib/format";
import { behind, type InsightSearch } from "@/lib/insight-search";
import { askedOf, insightsQuery, named, type Insights } from "@/lib/insights";
import { LEVELS } from "@/lib/holds";
import { lazy } from "@/lib/lazy";
import { readsAll, useMe } from "@/lib/me";

const SetBrake = lazy(() => import("@/components/set-brake"));
const WORDS = TEXTS.tiles;

export function AgentPage() {
  const { agentId } = useParams({ from: "/shell/agents/$agentId" });
  const agent = useQuery(agentQuery(agentId));
  return (
    <Beside back={linkOptions({ to: "/agents" })} name={TEXTS.title}>
      <Fetched query={agent} what={TEXTS.loadingOne}>
        {(known) => <Shown key={known.id} agent={known} />}
      </Fetched>
    </Beside>
  );
}

function Shown({ agent }: { agent: AgentDetail }) {
  const figures = useQuery(insightsQuery({ agent: agent.id })).data;
  return (
    <article aria-label={line(agent.name)} className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto max-w-4xl space-y-5 px-4 py-6 sm:px-8">
        <Head agent={agent} />
        <Stopped agent={agent} />
        <KeyFigures agent={agent} figures={figures} />
        {figures ? <Plots of={figures} id={agent.id} /> : null}
        <Ways agent={agent} />
      </div>
    </article>
  );
}

function Head({ agent }: { agent: AgentDetail }) {
  const me = useMe();
  const [stopping, setStopping] = useState(false);
  const said = [TEXTS.kinds[agent.kind], agent.active ? null : TEXTS.inactive, agent.observed_since ? TEXTS.observed : null, agent.trusted_claims ? TEXTS.trusted : null].filter((one) => one !== null);
  return (
    <header className="flex flex-wrap items-start gap-4">
      <div className="mr-auto min-w-0 space-y-1">
        <h1 className="text-xl font-semibold break-words">{line(agent.name)}</h1>
        <p className="text-ink-3">
          {said.join(" · ")} ·{" "}
          {agent.last_at ? (
            <>
              {TEXTS.lastAsked} <Ago at={agent.last_at} />
            </>
          ) : (
            TEXTS.never
          )}
        </p>
      </div>
      {!agent.brake && me.scopes.includes("decide") ? (
        <Button tone="danger" size="sm" onClick={() => setStopping(true)}>
          {TEXTS.stop}
        </Button>
      ) : null}
      <Suspense>{stopping ? <SetBrake agent={agent.name} onClose={() => setStopping(false)} /> : null}</Suspense>
    </header>
  );
}

function Stopped({ agent }: { agent: AgentDetail }) {
  return (
    <>
      {agent.brake ? (
        <Notice tone="warning" title={agent.brake.agent ? TEXTS.braked(line(agent.brake.set_by.name)) : TEXTS.brakedAll}>
          {line(agent.brake.reason)} {TEXTS.lift}
        </Notice>
      ) : null}
      {agent.observed_since ? <Notice title={TEXTS.observed}>{TEXTS.observedNote}</Notice> : null}
    </>
  );
}

function KeyFigures({ agent, figures }: { agent: AgentDetail; figures: Insights | undefined }) {
  const { usage } = agent;
  // what is not counted yet is not none
  const counted = (of: (found: Insights) => string) => (figures ? of(figures) : WORDS.uncounted);
  const to = (more: InsightSearch) => behind({ agent: agent.id }, more);
  return (
    <Tiles>
      <Tile name={WORDS.holds} value={agent.holds.toLocaleString("en")} note={counted(({ outcomes }) => WORDS.ofUnasked(outcomes.unasked))} link={to({})} />
      <Tile name={WORDS.rejected} value={agent.rejected.toLocaleString("en")} note={counted(({ outcomes }) => WORDS.ofAsked(share(outcomes.rejected, askedOf(outcomes))))} link={to({ status: "rejected" })} />
      <Tile name={WORDS.pending} value={agent.pending.toLocaleString("en")} note={TEXTS.waiting} link={to({ status: "pending" })} />
      <Tile name={WORDS.half} value={counted(({ times }) => WORDS.length(times.p50))} note={counted(({ times }) => WORDS.decided(times.count))} link={to({ decided: "people" })} />
      <Tile
        name={WORDS.reviews}
        value={counted(({ people }) => people.reduce((sum, one) => sum + one.reviews, 0).toLocaleString("en"))}
        note={counted(({ people }) => WORDS.people(people.length))}
        link={to({ decided: "people" })}
      />
      <Tile name={WORDS.tokens} value={(usage.tokens_in + usage.tokens_out).toLocaleString("en")} note={WORDS.tokensNote(usage.tokens_in, usage.tokens_out)} />
      <Tile name={WORDS.cost} value={usage.cost === 0 ? "0" : usage.cost.toFixed(4)} note={WORDS.runs(usage.runs, usage.failed)} />
      {agent.credentials ? (
        <Tile
          name={WORDS.signIn}
          value={agent.credentials.tokens.toLocaleString("en")}
          note={
            agent.credentials.last_used_at ? (
              <>
                {WORDS.lastUsed} <Ago at={agent.credentials.last_used_at} />
              </>
            ) : (
              WORDS.neverUsed
            )
          }
          link={{ to: "/people" }}
        />
      ) : null}
    </Tiles>
  );
}

function Plots({ of, id }: { of: Insights; id: string }) {
  const to = (name: "action" | "rule" | "risk") => (value: string, more: InsightSearch) => behind({ agent: id }, { [name]: value, ...more });
  const risks = LEVELS.flatMap((level) => named(of.risks).filter((row) => row.id === level));
  return (
    <div className="grid gap-5 xl:grid-cols-2">
      <OutcomePlot by="risks" rows={risks} to={to("risk")} className="xl:col-span-2" />
      <OutcomePlot by="actions" rows={named(of.actions)} to={to("action")} />
      <OutcomePlot by="rules" rows={named(of.rules)} to={to("rule")} />
    </div>
  );
}

function Ways({ agent }: { agent: AgentDetail }) {
  const me = useMe();
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line pt-4">
      <Link to="/insights" search={{ agent: agent.id }} className="text-accent underline underline-offset-2">
        {TEXTS.more}
      </Link>
      {readsAll(me) ? (
        <Link to="/audit" search={{ agent: agent.id }} className="text-accent underline underline-offset-2">
          {TEXTS.audit}
        </Link>
      ) : null}
    </p>
  );
}
