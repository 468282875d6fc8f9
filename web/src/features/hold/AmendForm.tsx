import { Changes } from "@/components/changes";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { actionOf, complaint, draftOf, type AmendField } from "@/features/hold/amendment";
import type { Deciding } from "@/features/hold/deciding";
import { Section } from "@/features/hold/Section";
import { changes } from "@/lib/changes";
import { useDraft } from "@/lib/drafts";
import type { Hold } from "@/lib/holds";

const LONG_TEXT = 60;

/** Change the action before approving it; what changes is shown as it will be sent. */
export function AmendForm({ hold, deciding }: { hold: Hold; deciding: Deciding }) {
  const [draft, setDraft, drop] = useDraft(`amend:${hold.digest}`, draftOf(hold.action));
  const amended = actionOf(draft, hold.action);
  const changed = changes({ target: hold.action.target, ...hold.action.args }, { target: amended.target, ...amended.args });
  const broken = draft.args.some((field) => complaint(field) !== null);

  function setArg(name: string, text: string) {
    setDraft({ ...draft, args: draft.args.map((field) => (field.name === name ? { ...field, text } : field)) });
  }
  function leave() {
    drop();
    deciding.setMode("look");
  }

  return (
    <Section title="Amend" note="makes a new revision, which then has to be approved">
      <form
        className="space-y-4 rounded-lg border border-line p-4"
        onSubmit={(event) => {
          event.preventDefault();
          deciding.send({ verdict: "amend", amended_action: amended });
        }}
      >
        <Field label="target">
          {(props) => <Input {...props} autoFocus value={draft.target} onChange={(event) => setDraft({ ...draft, target: event.target.value })} />}
        </Field>
        {draft.args.map((field) => (
          <Field key={field.name} label={field.name} error={complaint(field)}>
            {(props) => <Control field={field} props={props} onChange={(text) => setArg(field.name, text)} />}
          </Field>
        ))}
        <div className="space-y-1.5">
          <h3 className="font-medium">What changes</h3>
          {changed.length === 0 ? <p className="text-ink-3">Nothing yet.</p> : <Changes of={changed} />}
        </div>
        <Field label="Reason (optional)">
          {(props) => <Input {...props} value={deciding.reason} onChange={(event) => deciding.setReason(event.target.value)} />}
        </Field>
        <div className="flex gap-2">
          <Button type="submit" tone="accent" disabled={changed.length === 0 || broken || deciding.sending}>
            {deciding.sending ? "Sending…" : "Make this the new revision"}
          </Button>
          <Button tone="ghost" onClick={leave}>
            Discard
          </Button>
        </div>
      </form>
    </Section>
  );
}

interface ControlProps {
  field: AmendField;
  props: { id: string; "aria-describedby": string; "aria-invalid": boolean };
  onChange: (text: string) => void;
}

function Control({ field, props, onChange }: ControlProps) {
  if (field.type === "flag") {
    return (
      <input
        type="checkbox"
        {...props}
        className="size-4 accent-accent"
        checked={field.text === "true"}
        onChange={(event) => onChange(String(event.target.checked))}
      />
    );
  }
  const long = field.type === "json" || field.text.length > LONG_TEXT || field.text.includes("\n");
  if (long) return <TextArea {...props} rows={4} className="font-mono text-xs" value={field.text} onChange={(event) => onChange(event.target.value)} />;
  return (
    <Input
      {...props}
      inputMode={field.type === "number" ? "decimal" : undefined}
      value={field.text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
