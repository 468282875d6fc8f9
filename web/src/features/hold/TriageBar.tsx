/** Who looks at it: claim it, hand it to somebody, look at it later. It reserves nothing. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Clock, Eye, UserPlus } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Menu, MenuItem, MenuLabel } from "@/components/ui/menu";
import { Ago } from "@/components/ui/time";
import { TEXTS } from "@/features/hold/texts";
import { snoozes, triageQuery, useTriage, type Triage } from "@/features/hold/triage";
import { useNow } from "@/lib/clock";
import { exact, line } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { useKeys } from "@/lib/keys";
import { useMe } from "@/lib/me";
import { neighbour } from "@/lib/order";

const WORDS = TEXTS.triageBar;

export default function TriageBar({ hold }: { hold: Hold }) {
  const me = useMe();
  const found = useQuery(triageQuery(hold.id)).data;
  const triage = useTriage(hold.id);
  const may = hold.status === "pending" && hold.may_decide.allowed;
  const mine = found?.assignee?.person.id === me.id;
  const claim = () => triage.mutate(mine ? { release: true } : { assign: null });
  useKeys(may && found ? { l: claim } : {});
  if (!found || hold.status !== "pending" || (!may && !found.assignee)) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Looking found={found} me={me.id} />
      {may ? (
        <>
          <Button size="sm" tone={mine ? "plain" : "ghost"} aria-pressed={mine} disabled={triage.isPending} onClick={claim}>
            <Eye aria-hidden className="size-4" />
            {mine ? WORDS.release : found.assignee ? WORDS.takeOver : WORDS.claim} <Kbd>l</Kbd>
          </Button>
          <Assign found={found} me={me.id} onAssign={(person) => triage.mutate({ assign: person })} />
          <Snooze hold={hold} found={found} triage={triage} />
        </>
      ) : null}
    </div>
  );
}

function Looking({ found: { assignee }, me }: { found: Triage; me: string }) {
  if (!assignee) return null;
  const name = assignee.person.id === me ? null : line(assignee.person.name);
  const by = assignee.by.id === assignee.person.id ? null : assignee.by.id === me ? WORDS.you : line(assignee.by.name);
  return (
    <p role="status" className="text-ink-2">
      {WORDS.looking(name, by)}{" "}
      <span className="text-ink-3">
        (<Ago at={assignee.at} />)
      </span>
    </p>
  );
}

function Assign({ found, me, onAssign }: { found: Triage; me: string; onAssign: (person: string) => void }) {
  const others = found.deciders.filter((one) => one.id !== me && one.id !== found.assignee?.person.id);
  if (others.length === 0) return null;
  return (
    <Menu
      trigger={
        <Button size="sm" tone="ghost">
          <UserPlus aria-hidden className="size-4" />
          {WORDS.assign}
        </Button>
      }
    >
      <MenuLabel>{WORDS.whoMayDecideThis}</MenuLabel>
      <div className="max-h-72 overflow-y-auto">
        {others.map((one) => (
          <MenuItem key={one.id} onSelect={() => onAssign(one.id)}>
            {line(one.name)}
          </MenuItem>
        ))}
      </div>
    </Menu>
  );
}

function Snooze({ hold, found, triage }: { hold: Hold; found: Triage; triage: ReturnType<typeof useTriage> }) {
  const now = useNow(60_000);
  const navigate = useNavigate();
  const filters = useSearch({ from: "/shell/desk" });
  const offered = snoozes(now, hold.expires_at);
  if (found.snoozed_until) {
    return (
      <Button size="sm" tone="ghost" title={WORDS.snoozedUntil(exact(found.snoozed_until))} onClick={() => triage.mutate({ wake: true })}>
        <Clock aria-hidden className="size-4" />
        {WORDS.endSnooze}
      </Button>
    );
  }
  if (offered.length === 0) return null;
  function snooze(until: string) {
    const next = neighbour(hold.id);
    const on = next ? { to: "/holds/$holdId" as const, params: { holdId: next }, search: filters } : { to: "/inbox" as const, search: filters };
    triage.mutate({ snooze: until }, { onSuccess: () => void navigate(on) });
  }
  return (
    <Menu
      trigger={
        <Button size="sm" tone="ghost">
          <Clock aria-hidden className="size-4" />
          {WORDS.snooze}
        </Button>
      }
    >
      <MenuLabel>{WORDS.outOfYourInbox}</MenuLabel>
      {offered.map(([until, words]) => (
        <MenuItem key={words} onSelect={() => snooze(until)}>
          <span className="first-letter:uppercase">{words}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
