import { useState, type SyntheticEvent } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAddPerson } from "@/features/people/api";
import { RolesField } from "@/features/people/RolesField";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";

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
          toast({ title: `${line(added.name)} was added.`, tone: "good" });
        },
      },
    );
  }
  return (
    <Dialog title="Add" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <Field label="Name">{(props) => <Input {...props} required value={name} onChange={(e) => setName(e.target.value)} />}</Field>
        <Field label="Kind" hint="Only people decide.">
          {(props) => (
            <Select {...props} value={kind} onChange={(e) => setKind(e.target.value as Kind)}>
              <option value="person">person</option>
              <option value="agent">agent</option>
              <option value="service">service</option>
            </Select>
          )}
        </Field>
        {kind === "person" ? <RolesField value={roles} onChange={setRoles} /> : null}
        {adding.isError ? <Notice tone="error" title={problemFrom(adding.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="accent" disabled={name.trim() === "" || adding.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
