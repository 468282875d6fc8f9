import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { NothingBeside } from "@/components/desk";
import { Code } from "@/components/ui/copy";
import { runsQuery } from "@/features/runs/api";
import { line } from "@/lib/format";
import { administers, useMe } from "@/lib/me";
import { workflowsQuery } from "@/lib/workflows";

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
    <NothingBeside title="Open a run to follow it.">
      <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>n</kbd> starts one.
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
          <h2 className="text-xl font-semibold">No runs yet</h2>
          <p className="text-ink-2">
            A run is one execution of a workflow. Its steps, its models&apos; messages and its questions appear here as they happen. When it
            needs a person it waits, for a minute or a month, and costs nothing while it does.
          </p>
        </header>
        {workflows.length > 0 ? (
          <section className="space-y-3">
            <h3 className="text-base font-medium">Start a workflow</h3>
            <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
              {workflows.map((one) => (
                <li key={one.name}>
                  <Link to="/runs/start" search={{ workflow: one.name }} className="block px-4 py-3 hover:bg-sunken">
                    <span className="font-medium">{line(one.name)}</span>
                    <span className="block text-ink-3">{one.description ? line(one.description) : "Your own workflow"}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        {administers(me) ? (
          <section className="space-y-3">
            <h3 className="text-base font-medium">Watch a demo</h3>
            <p className="text-ink-2">
              Three runs with a scripted model, so you need no key, and two people you can decide as. On the machine that runs Handrail, signed
              in with <code>handrail login</code>:
            </p>
            <Code text="handrail demo" />
          </section>
        ) : null}
        <section className="space-y-3">
          <h3 className="text-base font-medium">Serve your own graph</h3>
          <p className="text-ink-2">Any LangGraph graph or LangChain agent works unchanged. Put two files in a folder:</p>
          <Code text={GRAPH} label="Copy greet.py" />
          <Code text={FILE} label="Copy handrail.toml" />
          <p className="text-ink-2">Then start Handrail in that folder, and the workflow appears here:</p>
          <Code text="handrail up" />
        </section>
      </div>
    </div>
  );
}
