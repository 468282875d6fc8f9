/** Propose skills: from a git repository or from a folder of the server. Each waits for people. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useRegister, type Candidate } from "@/features/skills/api";
import { problemFrom } from "@/lib/api";
import { line, plain } from "@/lib/format";

const FROM = {
  url: { label: "A git repository", field: "Address", hint: "https://…, also of a folder in it: …/tree/main/skills/pdf" },
  folder: { label: "A folder of the server", field: "Folder", hint: "Under one of the folders that HANDRAIL_SKILL_ROOTS allows." },
};

export function RegisterDialog({ onClose }: { onClose: () => void }) {
  const registering = useRegister();
  const [from, setFrom] = useState<keyof typeof FROM>("url");
  const [place, setPlace] = useState("");
  return (
    <Dialog title="Register skills" onClose={onClose} wide>
      {registering.data ? (
        <Found candidates={registering.data} onClose={onClose} />
      ) : (
        <form
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            registering.mutate({ [from]: place.trim() });
          }}
        >
          <p className="text-ink-2">
            Every folder with a SKILL.md is scanned and then waits in the queue. None of it runs, and no agent sees it, before people have
            approved it.
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
              {registering.isPending ? "Looking and scanning…" : "Look for skills"}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

const OUTCOME = { new: "waits for a decision", update: "is an update, and waits for a decision", unchanged: "is as it was", refused: "cannot be taken" };

function Found({ candidates, onClose }: { candidates: Candidate[]; onClose: () => void }) {
  return (
    <div className="space-y-4">
      {candidates.length === 0 ? <Notice title="There is no SKILL.md in it." /> : null}
      <ul className="divide-y divide-line">
        {candidates.map((one) => (
          <li key={one.path} className="py-2">
            <p className="break-words">
              <span className="font-medium">{line(one.skill?.name ?? one.path)}</span> <span className="text-ink-2">{OUTCOME[one.outcome]}</span>
            </p>
            {one.reason ? <p className="break-words whitespace-pre-wrap text-critical">{plain(one.reason)}</p> : null}
          </li>
        ))}
      </ul>
      <div className="flex items-center justify-end gap-4">
        <Link to="/skills/queue" className="font-medium text-accent hover:underline" onClick={onClose}>
          To the queue
        </Link>
        <Button tone="accent" autoFocus onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
