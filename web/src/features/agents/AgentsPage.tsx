/** Everyone who asks and is not a person, with the one that is open. */
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { Bot, Server } from "lucide-react";
import { useRef, useState } from "react";
import { Desk, Fetched, NothingBeside } from "@/components/desk";
import { SearchBox } from "@/components/search-box";
import { Ago } from "@/components/ui/time";
import { TEXTS } from "@/features/agents/texts";
import { agentsQuery, type Agent } from "@/lib/agents";
import { cn } from "@/lib/cn";
import { line } from "@/lib/format";
import { useListKeys } from "@/lib/list-keys";

export function AgentsPage() {
  const { agentId: open } = useParams({ strict: false });
  const navigate = useNavigate();
  const agents = useQuery(agentsQuery);
  const [sought, setSought] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const found = (agents.data ?? []).filter((one) => one.name.toLowerCase().includes(sought.trim().toLowerCase()));
  const current = useListKeys(
    {
      ids: found.map((one) => one.id),
      open,
      show: (id) => void navigate({ to: "/agents/$agentId", params: { agentId: id } }),
      leave: () => open && void navigate({ to: "/agents" }),
    },
    () => ({ "/": () => box.current?.focus() }),
  );
  return (
    <Desk
      label={TEXTS.title}
      beside={open !== undefined}
      list={
        <>
          <div className="space-y-2.5 border-b border-line px-4 pt-3 pb-3">
            <h1 className="text-base font-semibold">{TEXTS.title}</h1>
            <SearchBox text={sought} label={TEXTS.search} inputRef={box} onSearch={setSought} />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto">
            <Fetched query={agents} what={TEXTS.loading}>
              {(all) =>
                found.length === 0 ? (
                  <div className="px-6 py-12 text-center text-ink-3">
                    <p>{all.length === 0 ? TEXTS.none : TEXTS.noneMatch}</p>
                    {all.length === 0 ? <p>{TEXTS.noneHint}</p> : null}
                  </div>
                ) : (
                  <ul aria-label={TEXTS.list} className="divide-y divide-line">
                    {found.map((one) => (
                      <Row key={one.id} agent={one} current={one.id === current} />
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

function Row({ agent, current }: { agent: Agent; current: boolean }) {
  const Icon = agent.kind === "service" ? Server : Bot;
  return (
    <li>
      <Link
        to="/agents/$agentId"
        params={{ agentId: agent.id }}
        aria-current={current ? "true" : undefined}
        className={cn("flex items-center gap-3 border-l-2 border-transparent px-4 py-2.5 hover:bg-sunken", current && "border-accent bg-sunken")}
      >
        <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{line(agent.name)}</span>
          <span className={cn("block truncate text-xs", agent.pending > 0 ? "text-high" : "text-ink-3")}>{TEXTS.row(agent.holds, agent.pending)}</span>
        </span>
        <span className="text-xs text-ink-3">{agent.last_at ? <Ago at={agent.last_at} /> : null}</span>
      </Link>
    </li>
  );
}

/** Beside the list while no agent is open. */
export function NoAgentOpen() {
  return (
    <NothingBeside title={TEXTS.open}>
      <kbd>j</kbd> {TEXTS.keys.and} <kbd>k</kbd> {TEXTS.keys.move}, <kbd>{TEXTS.keys.enter}</kbd> {TEXTS.keys.opens}.
    </NothingBeside>
  );
}
