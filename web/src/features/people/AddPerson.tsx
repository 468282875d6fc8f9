import { useState, type SyntheticEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAddPerson } from "@/features/people/api";
import { RolesField, splitRoles } from "@/features/people/RolesField";
import { problemFrom } from "@/lib/api";

type Kind = "person" | "agent" | "service";

export function AddPerson({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Kind>("person");
  const [roles, setRoles] = useState("");
  const adding = useAddPerson();
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    adding.mutate({ name: name.trim(), kind, roles: kind === "person" ? splitRoles(roles) : [] }, { onSuccess: onClose });
  }
  return (
    <Dialog title="Add" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <Field label="Name">{(props) => <Input {...props} required autoFocus value={name} onChange={(e) => setName(e.target.value)} />}</Field>
        <Field label="Kind" hint="Only persons decide.">
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
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" tone="accent" disabled={name.trim() === "" || adding.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
