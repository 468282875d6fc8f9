import { Plus, X } from "lucide-react";
import { Changes } from "@/components/changes";
import { Button } from "@/components/ui/button";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { actionOf, complaint, draftOf, FIELD_TYPES, isBroken, nameComplaint, NEW_FIELD, type AmendField } from "@/features/hold/amendment";
import type { Deciding } from "@/components/deciding/deciding";
import { Section } from "@/components/section";
import { TEXTS } from "@/features/hold/texts";
import { changes } from "@/lib/changes";
import { useDraft } from "@/lib/drafts";
import type { Action, Hold } from "@/lib/holds";
import { fieldsOf } from "@/lib/wording";

const WORDS = TEXTS.amendForm;

const LONG_TEXT = 60;

/** Change the action before approving it; what changes is shown as it will be sent. */
export default function AmendForm({ hold, action, deciding }: { hold: Hold; action: Action; deciding: Deciding }) {
  const [draft, setDraft, drop] = useDraft(`amend:${hold.digest}`, draftOf(action));
  const amended = actionOf(draft, action);
  const changed = changes(fieldsOf(action), fieldsOf(amended));
  const setArgs = (args: AmendField[]) => setDraft({ ...draft, args });

  function leave() {
    drop();
    deciding.setMode("look");
  }

  return (
    <Section title={WORDS.amend} note={WORDS.createsNewRevision}>
      <form
        className="space-y-4 rounded-lg border border-line p-4"
        onSubmit={(event) => {
          event.preventDefault();
          deciding.send({ verdict: "amend", amended_action: amended });
        }}
      >
        <Field label={WORDS.target}>
          {(props) => <Input {...props} autoFocus value={draft.target} onChange={(event) => setDraft({ ...draft, target: event.target.value })} />}
        </Field>
        {draft.args.map((field, index) => (
          // the place is what tells them apart: an added one changes its name as it is typed
          <Argument
            key={index}
            field={field}
            wrongName={nameComplaint(draft, field)}
            onChange={(changed) => setArgs(draft.args.with(index, { ...field, ...changed }))}
            onRemove={() => setArgs(draft.args.toSpliced(index, 1))}
          />
        ))}
        <Button size="sm" onClick={() => setArgs([...draft.args, NEW_FIELD])}>
          <Plus aria-hidden className="size-4" /> {WORDS.addArgument}
        </Button>
        <div className="space-y-1.5">
          <h3 className="font-medium">{WORDS.whatChanges}</h3>
          {changed.length === 0 ? <p className="text-ink-3">{WORDS.nothingYet}</p> : <Changes of={changed} />}
        </div>
        <Field label={WORDS.reason}>
          {(props) => <Input {...props} value={deciding.reason} onChange={(event) => deciding.setReason(event.target.value)} />}
        </Field>
        <div className="flex gap-2">
          <Button type="submit" tone="accent" disabled={changed.length === 0 || isBroken(draft) || deciding.sending} waits={!deciding.settled}>
            {deciding.sending ? WORDS.sending : WORDS.saveAsNewRevision}
          </Button>
          <Button tone="ghost" onClick={leave}>
            {WORDS.discard}
          </Button>
        </div>
      </form>
    </Section>
  );
}

interface ArgumentProps {
  field: AmendField;
  wrongName: string | null;
  onChange: (changed: Partial<AmendField>) => void;
  onRemove: () => void;
}

function Argument({ field, wrongName, onChange, onRemove }: ArgumentProps) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        {field.added ? (
          <fieldset className="grid gap-3 rounded-md border border-line p-3 sm:grid-cols-2">
            <legend className="sr-only">{WORDS.newArgument}</legend>
            <Field label={WORDS.name} error={wrongName}>
              {(props) => <Input {...props} autoFocus value={field.name} onChange={(event) => onChange({ name: event.target.value })} />}
            </Field>
            <Field label={WORDS.type}>
              {(props) => (
                <Select {...props} value={field.type} onChange={(event) => onChange({ type: event.target.value as AmendField["type"] })}>
                  {Object.entries(FIELD_TYPES).map(([type, words]) => (
                    <option key={type} value={type}>
                      {words}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <div className="sm:col-span-2">
              <Valued label={WORDS.value} field={field} onChange={onChange} />
            </div>
          </fieldset>
        ) : (
          <Valued label={field.name} field={field} onChange={onChange} />
        )}
      </div>
      <Button tone="ghost" size="icon" className="mt-6" aria-label={WORDS.remove(field.name)} title={WORDS.removeIt} onClick={onRemove}>
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  );
}

function Valued({ label, field, onChange }: { label: string } & Pick<ArgumentProps, "field" | "onChange">) {
  return (
    <Field label={label} error={complaint(field)}>
      {(props) => <Control field={field} props={props} onChange={(text) => onChange({ text })} />}
    </Field>
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
