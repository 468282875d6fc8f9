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
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";

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
              changing.mutate({ id: person.id, roles: roles }, { onSuccess: () => done("now has these roles") });
            }}
          >
            <RolesField value={roles} onChange={setRoles} />
            <Button type="submit" tone="accent" disabled={changing.isPending}>
              Save roles
            </Button>
          </form>
        ) : (
          <p className="text-ink-2">{person.kind === "agent" ? "An agent" : "A service"} has no roles: it can ask, but never decide.</p>
        )}
        {person.kind === "person" ? null : <Observing person={person} observed={observed} />}
        {person.kind === "person" && person.active ? (
          <div className="space-y-2 border-t border-line pt-4">
            <p className="text-ink-2">This link signs in {line(person.name)}, once. Send it to no one else.</p>
            {linking.data ? (
              <Code text={linking.data.url} label="Copy link" />
            ) : (
              <Button disabled={linking.isPending} onClick={() => linking.mutate(person.id)}>
                Create sign-in link
              </Button>
            )}
          </div>
        ) : null}
        <div className="space-y-2 border-t border-line pt-4">
          <p className="text-ink-2">{person.active ? "Deactivating ends all sessions, tokens and links immediately." : "Inactive: cannot sign in or ask."}</p>
          <Button
            tone={person.active ? "danger" : "plain"}
            disabled={changing.isPending}
            onClick={() => changing.mutate({ id: person.id, active: !person.active }, { onSuccess: () => done(person.active ? "is now inactive" : "is active again") })}
          >
            {person.active ? "Deactivate" : "Reactivate"}
          </Button>
        </div>
        {error ? <Notice tone="error" title={problemFrom(error).message} /> : null}
      </div>
    </Dialog>
  );
}
