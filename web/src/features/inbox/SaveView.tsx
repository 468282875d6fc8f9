import { useState } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Code } from "@/components/ui/copy";
import { useSaveView } from "@/features/inbox/saved";
import { TEXTS } from "@/features/inbox/texts";
import { problemFrom } from "@/lib/api";
import type { HoldFilters } from "@/lib/holds";

/** What the list is narrowed to, under a name; and its address, for others. */
export default function SaveView({ filters, onClose }: { filters: HoldFilters; onClose: () => void }) {
  const [name, setName] = useState("");
  const saving = useSaveView();
  const address = `${location.origin}/inbox${location.search}`;
  return (
    <Dialog title={TEXTS.saving.title} onClose={onClose} asks={false}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(
            { name: name.trim(), filters },
            {
              onSuccess: (saved) => {
                toast({ title: TEXTS.saving.saved(saved.name), tone: "good" });
                onClose();
              },
            },
          );
        }}
      >
        <Field label={TEXTS.saving.name} hint={TEXTS.saving.replaces} error={saving.isError ? problemFrom(saving.error).message : null}>
          {(props) => <Input {...props} maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <div className="space-y-1.5">
          <p className="font-medium">{TEXTS.saving.address}</p>
          <Code text={address} label={TEXTS.saving.copy} />
          <p className="text-xs text-ink-3">{TEXTS.saving.seen}</p>
        </div>
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="accent" disabled={name.trim() === "" || saving.isPending}>
            {saving.isPending ? TEXTS.saving.saving : TEXTS.saving.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
