import { useState, type SyntheticEvent } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAddPerson } from "@/features/people/api";
import { RolesField } from "@/features/people/RolesField";
import { TEXTS } from "@/features/people/texts";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";

const WORDS = TEXTS.addPerson;

type Kind = "person" | "agent" | "service";

export function AddPerson({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Kind>("person");
  const [roles, setRoles] = useState<string[]>([]);
  const adding = useAddPerson();
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    adding.mutate(
      { name: name.trim(), kind, roles: kind === "person" ? roles : [] },
      {
        onSuccess: (added) => {
          onClose();
          toast({ title: WORDS.wasAdded(line(added.name)), tone: "good" });
        },
      },
    );
  }
  return (
    <Dialog title={WORDS.add} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <Field label={WORDS.name}>{(props) => <Input {...props} required value={name} onChange={(e) => setName(e.target.value)} />}</Field>
        <Field label={WORDS.kind} hint={WORDS.onlyPeopleDecide}>
          {(props) => (
            <Select {...props} value={kind} onChange={(e) => setKind(e.target.value as Kind)}>
              <option value="person">{WORDS.person}</option>
              <option value="agent">{WORDS.agent}</option>
              <option value="service">{WORDS.service}</option>
            </Select>
          )}
        </Field>
        {kind === "person" ? <RolesField value={roles} onChange={setRoles} /> : null}
        {adding.isError ? <Notice tone="error" title={problemFrom(adding.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="accent" disabled={name.trim() === "" || adding.isPending}>
            {WORDS.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
