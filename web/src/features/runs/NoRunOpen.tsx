import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { NothingBeside } from "@/components/desk";
import { Code } from "@/components/ui/copy";
import { runsQuery } from "@/features/runs/api";
import { TEXTS } from "@/features/runs/texts";
import { line } from "@/lib/format";
import { administers, useMe } from "@/lib/me";
import { workflowsQuery } from "@/lib/workflows";

const WORDS = TEXTS.noRunOpen;

const GRAPH = `# greet.py
from typing import TypedDict
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

State = TypedDict("State", {"name": str}, total=False)
graph = StateGraph(State)
graph.add_node("ask", lambda state: {"name": interrupt("What is your name?")})
graph.add_edge(START, "ask")`;
const FILE = `# handrail.toml, next to it
[workflows]
greet = "greet:graph"`;

/** Beside the list while no run is open: how to go on, or how to begin. */
export function NoRunOpen() {
  const runs = useInfiniteQuery(runsQuery({}));
  if (!runs.isSuccess) return null;
  if (runs.data.pages[0]?.runs.length === 0) return <FirstRun />;
  return (
    <NothingBeside title={WORDS.openRunToFollowIt}>
      <kbd>j</kbd> {WORDS.and} <kbd>k</kbd> {WORDS.move} <kbd>{WORDS.enter}</kbd> {WORDS.opens} <kbd>n</kbd> {WORDS.startsOne}
    </NothingBeside>
  );
}

/** Teaches the next step, with code that works as it stands. */
function FirstRun() {
  const workflows = useQuery(workflowsQuery).data ?? [];
  const me = useMe();
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-2xl space-y-8 px-4 py-10 sm:px-6">
        <header className="space-y-2">
          <h1 className="text-xl font-semibold">{WORDS.noRunsYet}</h1>
          <p className="text-ink-2">
            {WORDS.runIsOneExecutionOf}
          </p>
        </header>
        {workflows.length > 0 ? (
          <section className="space-y-3">
            <h2 className="text-base font-medium">{WORDS.startAWorkflow}</h2>
            <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
              {workflows.map((one) => (
                <li key={one.name}>
                  <Link to="/runs/start" search={{ workflow: one.name }} className="block px-4 py-3 hover:bg-sunken">
                    <span className="font-medium">{line(one.name)}</span>
                    <span className="block text-ink-3">{one.description ? line(one.description) : WORDS.yourOwnWorkflow}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        {administers(me) ? (
          <section className="space-y-3">
            <h2 className="text-base font-medium">{WORDS.watchADemo}</h2>
            <p className="text-ink-2">
              {WORDS.threeRunsWithScriptedModel} <code>{WORDS.handrailLogin}</code>:
            </p>
            <Code text="handrail demo" />
          </section>
        ) : null}
        <section className="space-y-3">
          <h2 className="text-base font-medium">{WORDS.serveYourOwnGraph}</h2>
          <p className="text-ink-2">{WORDS.anyLanggraphGraphOrLangchain}</p>
          <Code text={GRAPH} label={WORDS.copyGreet} />
          <Code text={FILE} label={WORDS.copyHandrail} />
          <p className="text-ink-2">{WORDS.thenStartHandrailInThat}</p>
          <Code text="handrail up" />
        </section>
      </div>
    </div>
  );
}
