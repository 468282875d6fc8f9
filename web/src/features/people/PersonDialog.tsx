/** One principal: roles, a way in, and whether they may act at all. */
import { useState } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { useChangePerson, useLoginLink, type Observed, type Person } from "@/features/people/api";
import { Observing } from "@/features/people/Observing";
import { RolesField } from "@/features/people/RolesField";
import { TEXTS } from "@/features/people/texts";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";

const WORDS = TEXTS.personDialog;

export function PersonDialog({ person, observed, onClose }: { person: Person; observed: Observed | undefined; onClose: () => void }) {
  const [roles, setRoles] = useState(person.roles);
  const changing = useChangePerson();
  const linking = useLoginLink();
  const error = changing.error ?? linking.error;
  function done(said: string) {
    onClose();
    toast({ title: `${line(person.name)} ${said}.`, tone: "good" });
  }
  return (
    <Dialog title={line(person.name)} onClose={onClose}>
      <div className="space-y-5">
        {person.kind === "person" ? (
          <form
            className="space-y-3"
            onSubmit={(event) => {
              event.preventDefault();
              changing.mutate({ id: person.id, roles: roles }, { onSuccess: () => done(WORDS.nowHasTheseRoles) });
            }}
          >
            <RolesField value={roles} onChange={setRoles} />
            <Button type="submit" tone="accent" disabled={changing.isPending}>
              {WORDS.saveRoles}
            </Button>
          </form>
        ) : (
          <p className="text-ink-2">{person.kind === "agent" ? WORDS.anAgent : WORDS.aService} {WORDS.hasNoRoles}</p>
        )}
        {person.kind === "person" ? null : <Observing person={person} observed={observed} />}
        {person.kind === "person" && person.active ? (
          <div className="space-y-2 border-t border-line pt-4">
            <p className="text-ink-2">{WORDS.thisLinkSignsIn(line(person.name))}</p>
            {linking.data ? (
              <Code text={linking.data.url} label={WORDS.copyLink} />
            ) : (
              <Button disabled={linking.isPending} onClick={() => linking.mutate(person.id)}>
                {WORDS.createSignInLink}
              </Button>
            )}
          </div>
        ) : null}
        <div className="space-y-2 border-t border-line pt-4">
          <p className="text-ink-2">{person.active ? WORDS.deactivatingEndsAllSessions : WORDS.inactive}</p>
          <Button
            tone={person.active ? "danger" : "plain"}
            disabled={changing.isPending}
            onClick={() => changing.mutate({ id: person.id, active: !person.active }, { onSuccess: () => done(person.active ? WORDS.isNowInactive : WORDS.isActiveAgain) })}
          >
            {person.active ? WORDS.deactivate : WORDS.reactivate}
          </Button>
        </div>
        {error ? <Notice tone="error" title={problemFrom(error).message} /> : null}
      </div>
    </Dialog>
  );
}
