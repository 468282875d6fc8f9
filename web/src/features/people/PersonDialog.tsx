/** One principal: roles, a way in, and whether they may act at all. */
import { useState } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { useChangePerson, useLoginLink, type Person } from "@/features/people/api";
import { RolesField } from "@/features/people/RolesField";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";

export function PersonDialog({ person, onClose }: { person: Person; onClose: () => void }) {
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
              changing.mutate({ id: person.id, roles: roles }, { onSuccess: () => done("has the new roles") });
            }}
          >
            <RolesField value={roles} onChange={setRoles} />
            <Button type="submit" tone="accent" disabled={changing.isPending}>
              Save the roles
            </Button>
          </form>
        ) : (
          <p className="text-ink-2">An {person.kind} has no roles: it asks, and never decides.</p>
        )}
        {person.kind === "person" && person.active ? (
          <div className="space-y-2 border-t border-line pt-4">
            <p className="text-ink-2">A link signs {line(person.name)} in, once. Send it to nobody else.</p>
            {linking.data ? (
              <Code text={linking.data.url} label="Copy the link" />
            ) : (
              <Button disabled={linking.isPending} onClick={() => linking.mutate(person.id)}>
                Make a sign-in link
              </Button>
            )}
          </div>
        ) : null}
        <div className="space-y-2 border-t border-line pt-4">
          <p className="text-ink-2">{person.active ? "Who is inactive loses all sessions, tokens and links at once." : "Inactive: can neither sign in nor ask."}</p>
          <Button
            tone={person.active ? "danger" : "plain"}
            disabled={changing.isPending}
            onClick={() => changing.mutate({ id: person.id, active: !person.active }, { onSuccess: () => done(person.active ? "is inactive now" : "is active again") })}
          >
            {person.active ? "Make inactive" : "Make active again"}
          </Button>
        </div>
        {error ? <Notice tone="error" title={problemFrom(error).message} /> : null}
      </div>
    </Dialog>
  );
}
