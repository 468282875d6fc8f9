/** Propose skills: from a git repository or from a folder of the server. Each waits for people. */
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useRegister } from "@/features/skills/api";
import { Progress } from "@/features/skills/Progress";
import { TEXTS } from "@/features/skills/texts";
import { problemFrom } from "@/lib/api";

const WORDS = TEXTS.registerDialog;

const FROM = {
  url: { label: WORDS.aGitRepository, field: "Address", hint: WORDS.https },
  folder: { label: WORDS.folderOnServer, field: "Folder", hint: WORDS.underOneOfFoldersThat },
};

export function RegisterDialog({ onClose }: { onClose: () => void }) {
  const registering = useRegister();
  const [from, setFrom] = useState<keyof typeof FROM>("url");
  const [place, setPlace] = useState("");
  return (
    <Dialog title={WORDS.registerSkills} onClose={onClose} asks={!registering.data} wide>
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
            {WORDS.everyFolderWithSkill}
          </p>
          <Field label={WORDS.from}>
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
              {registering.isPending ? WORDS.starting : WORDS.findSkills}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
