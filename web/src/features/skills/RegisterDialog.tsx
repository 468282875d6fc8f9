/** Propose skills: from a git repository or from a folder of the server. Each waits for people. */
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useRegister } from "@/features/skills/api";
import { Progress } from "@/features/skills/Progress";
import { problemFrom } from "@/lib/api";

const FROM = {
  url: { label: "A git repository", field: "Address", hint: "https://…, or a folder in it: …/tree/main/skills/pdf" },
  folder: { label: "A folder on the server", field: "Folder", hint: "Under one of the folders that HANDRAIL_SKILL_ROOTS allows." },
};

export function RegisterDialog({ onClose }: { onClose: () => void }) {
  const registering = useRegister();
  const [from, setFrom] = useState<keyof typeof FROM>("url");
  const [place, setPlace] = useState("");
  return (
    <Dialog title="Register skills" onClose={onClose} asks={!registering.data} wide>
      {registering.data ? (
        <Progress runId={registering.data.run_id} onClose={onClose} />
      ) : (
        <form
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            registering.mutate({ [from]: place.trim() });
          }}
        >
          <p className="text-ink-2">
            Every folder with a SKILL.md is scanned and then waits in the queue. Nothing runs, and no agent sees it, until people have approved
            it.
          </p>
          <Field label="From">
            {(props) => (
              <Select {...props} value={from} onChange={(event) => setFrom(event.target.value as keyof typeof FROM)}>
                {Object.entries(FROM).map(([name, one]) => (
                  <option key={name} value={name}>
                    {one.label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label={FROM[from].field} hint={FROM[from].hint}>
            {(props) => <Input {...props} value={place} onChange={(event) => setPlace(event.target.value)} />}
          </Field>
          {registering.isError ? <Notice tone="error" title={problemFrom(registering.error).message} /> : null}
          <div className="flex justify-end gap-2">
            <BackButton />
            <Button type="submit" tone="accent" disabled={place.trim() === "" || registering.isPending}>
              {registering.isPending ? "Starting…" : "Find skills"}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
