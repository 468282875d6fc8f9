/** Who may act here, and what programs sign in with; for administrators. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Page, Panel } from "@/components/page";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { AddPerson } from "@/features/people/AddPerson";
import { observedQuery, peopleQuery, type Person } from "@/features/people/api";
import { PersonDialog } from "@/features/people/PersonDialog";
import { Tokens } from "@/features/people/Tokens";
import { TEXTS } from "@/features/people/texts";
import { problemFrom } from "@/lib/api";
import { cn } from "@/lib/cn";
import { line, words } from "@/lib/format";
import { administers, useMe } from "@/lib/me";

const WORDS = TEXTS.peoplePage;

export function PeoplePage() {
  const me = useMe();
  const people = useQuery(peopleQuery);
  const [adding, setAdding] = useState(false);
  const [open, setOpen] = useState<string | null>(null);
  const shown = people.data?.find((one) => one.id === open);
  const observed = new Map(useQuery(observedQuery).data?.map((one) => [one.agent.id, one]));
  return (
    <Page
      title={WORDS.people}
      intro={WORDS.peopleDecideAccordingToTheir}
      actions={
        administers(me) ? (
          <Button tone="accent" onClick={() => setAdding(true)}>
            {WORDS.add}
          </Button>
        ) : null
      }
    >
      <Panel title={WORDS.everyone}>
        {people.isError ? (
          <Notice tone="error" title={problemFrom(people.error).message} />
        ) : people.isPending ? (
          <Waiting what={WORDS.what} />
        ) : (
          <ul className="-my-2 divide-y divide-line">
            {people.data.map((one) => (
              <PersonRow key={one.id} person={one} observed={observed.has(one.id)} onOpen={() => setOpen(one.id)} />
            ))}
          </ul>
        )}
      </Panel>
      <Tokens />
      {adding ? <AddPerson onClose={() => setAdding(false)} /> : null}
      {shown ? <PersonDialog person={shown} observed={observed.get(shown.id)} onClose={() => setOpen(null)} /> : null}
    </Page>
  );
}

function PersonRow({ person, observed, onOpen }: { person: Person; observed: boolean; onOpen: () => void }) {
  return (
    <li className={cn("flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5", !person.active && "text-ink-3")}>
      <span className="min-w-0 max-w-48 truncate font-medium sm:w-48">{line(person.name)}</span>
      <span className="w-16 text-ink-3">{person.kind}</span>
      <span className="order-last w-full text-ink-2 empty:hidden sm:order-none sm:w-auto sm:min-w-0 sm:flex-1">{person.active ? (observed ? WORDS.onlyObserved : person.roles.map(words).join(", ")) : WORDS.inactive}</span>
      <Button size="sm" className="ml-auto" aria-label={WORDS.changeNamed(line(person.name))} onClick={onOpen}>
        {WORDS.change}
      </Button>
    </li>
  );
}
