/** One field for every page, action, hold, run, agent and person. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { Dialog } from "@/components/ui/dialog";
import { Input } from "@/components/ui/field";
import { holdsFound, peopleFound, runFound } from "@/features/palette/api";
import { matching, type Choice } from "@/features/palette/matching";
import { TEXTS } from "@/features/palette/texts";
import { agentsQuery } from "@/lib/agents";
import { cn } from "@/lib/cn";
import { line, words } from "@/lib/format";
import { takeTyped } from "@/lib/keys";
import { administers, useMe } from "@/lib/me";
import { useSettled } from "@/lib/settled-value";
import { headline } from "@/lib/wording";

export interface Command {
  label: string;
  also?: string;
  note?: string;
  run: () => void;
}

interface Props {
  pages: Command[];
  actions: Command[];
  /** Told what was chosen, if anything was. */
  onClose: (chosen?: string) => void;
}

const GROUPS = TEXTS.groups;

export default function Palette({ pages, actions, onClose }: Props) {
  const [typed, setTyped] = useState("");
  // by its id: what is found a moment later must not take its place
  const [chosen, setChosen] = useState<string>();
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const { found, searching } = useFound(typed);
  // Enter came before what was typed had been looked for
  const entered = useRef(false);
  const choices = useMemo(() => {
    const commands = (group: string, of: Command[]): Choice[] => of.map((one) => ({ ...one, group, id: `${group} ${one.label}` }));
    return [...matching([...commands(GROUPS.pages, pages), ...commands(GROUPS.actions, actions)], typed), ...found];
  }, [pages, actions, found, typed]);
  const at = Math.max(0, choices.findIndex((one) => one.id === chosen));
  const current = choices[at];

  useEffect(() => {
    if (!entered.current || searching) return;
    entered.current = false;
    if (current) run(current);
  });
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  function run(choice: Choice) {
    onClose(choice.label);
    choice.run();
  }
  function pressed(event: KeyboardEvent) {
    const turn = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (turn !== undefined && choices.length > 0) {
      event.preventDefault();
      setChosen(choices[(at + turn + choices.length) % choices.length]?.id);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      // pages and actions are found at once; of the rest, the first may be of what was typed before
      if (current && (chosen !== undefined || !searching || !found.includes(current))) run(current);
      else entered.current = searching;
    }
  }

  return (
    <Dialog title={TEXTS.title} asks={false} onClose={() => onClose()}>
      <div className="space-y-3">
        <Input
          role="combobox"
          aria-label={TEXTS.placeholder}
          aria-expanded={choices.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          placeholder={TEXTS.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onFocus={() => setTyped((before) => before + takeTyped())}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(undefined);
            entered.current = false;
          }}
          onKeyDown={pressed}
        />
        <ul ref={list} id={`${id}-list`} role="listbox" aria-label={TEXTS.results} className="-mx-2 max-h-[50dvh] min-h-24 overflow-y-auto">
          {choices.map((choice, index) => (
            <Line key={choice.id} id={`${id}-${index}`} choice={choice} first={choices[index - 1]?.group !== choice.group} current={choice === current} onPick={() => run(choice)} />
          ))}
        </ul>
        {choices.length === 0 ? <p className="text-ink-3">{searching ? TEXTS.searching : TEXTS.none}</p> : null}
        <p className="hidden text-xs text-ink-3 pointer-fine:block">{TEXTS.hint}</p>
      </div>
    </Dialog>
  );
}

function Line({ id, choice, first, current, onPick }: { id: string; choice: Choice; first: boolean; current: boolean; onPick: () => void }) {
  return (
    <>
      {first ? (
        <li role="presentation" className="px-2 pt-2 pb-1 text-xs text-ink-3">
          {choice.group}
        </li>
      ) : null}
      <li
        id={id}
        role="option"
        aria-selected={current}
        className={cn("flex cursor-pointer items-baseline gap-3 rounded-md px-2 py-1.5", current ? "bg-accent-soft text-accent" : "hover:bg-sunken")}
        onClick={onPick}
      >
        <span className="min-w-0 flex-1 truncate">{choice.label}</span>
        {choice.note ? <span className={cn("shrink-0 text-xs", current ? "" : "text-ink-3")}>{choice.note}</span> : null}
      </li>
    </>
  );
}

/** What the server finds: holds by their text, a run by its number, agents and people by name. */
function useFound(typed: string): { found: Choice[]; searching: boolean } {
  const me = useMe();
  const navigate = useNavigate();
  const text = useSettled(typed.trim());
  const asks = text.length >= 2;
  const asked = [
    useQuery({ ...holdsFound(text), enabled: asks, placeholderData: keepPreviousData }),
    useQuery({ ...runFound(text), enabled: /^r-\d+$/i.test(text) }),
    useQuery({ ...agentsQuery, enabled: asks }),
    useQuery({ ...peopleFound, enabled: asks && administers(me) }),
  ] as const;
  const [holds, run, agents, people] = [asked[0].data, asked[1].data, asked[2].data, asked[3].data];
  const searching = text !== typed.trim() || asked.some((one) => one.isLoading || one.isPlaceholderData);
  const found = useMemo(() => {
    if (!asks) return [];
    const named: Choice[] = [
      ...(agents ?? []).map((one) => ({ id: one.id, group: GROUPS.agents, label: line(one.name), note: one.kind, run: () => void navigate({ to: "/agents/$agentId", params: { agentId: one.id } }) })),
      ...(people ?? [])
        .filter((one) => one.kind === "person")
        .map((one) => ({ id: one.id, group: GROUPS.people, label: line(one.name), note: TEXTS.person(one.roles.map(words).join(", ")), run: () => void navigate({ to: "/audit", search: { actor: one.id } }) })),
    ];
    return [
      ...(holds ?? []).map((one) => ({ id: one.id, group: GROUPS.holds, label: headline(one), note: `${one.short_id} · ${one.status}`, run: () => void navigate({ to: "/holds/$holdId", params: { holdId: one.id } }) })),
      ...(run ? [{ id: run.id, group: GROUPS.runs, label: `${line(run.workflow)} ${run.short_id}`, note: run.status, run: () => void navigate({ to: "/runs/$runId", params: { runId: run.id } }) }] : []),
      ...matching(named, text),
    ];
  }, [asks, holds, run, agents, people, text, navigate]);
  return { found, searching };
}
