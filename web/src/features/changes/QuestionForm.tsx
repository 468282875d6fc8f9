/** A question of the agent, answered where it stands: choices as a list, the rest in words. */
import { Holding } from "@/components/holding";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { fieldsOf, type Asked } from "@/features/changes/questions";
import { TEXTS } from "@/features/changes/texts";
import { problemFrom } from "@/lib/api";
import { useDraft } from "@/lib/drafts";
import { line, plain } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { useReview } from "@/lib/reviewing";
import { useSettled } from "@/lib/settled";

const WORDS = TEXTS.questionForm;

export default function QuestionForm({ hold }: { hold: Hold }) {
  const fields = fieldsOf(hold.schema);
  // asked in another way than code changes do
  return fields && hold.may_decide.allowed && hold.status === "pending" ? <Form hold={hold} fields={fields} /> : <Holding id={hold.id} />;
}

function Form({ hold, fields }: { hold: Hold; fields: Asked[] }) {
  const reviewing = useReview(hold.id);
  const settled = useSettled(hold.digest);
  const [given, setGiven, drop] = useDraft<Record<string, string>>(`answer:${hold.digest}`, {});
  const ready = fields.every((field) => !field.required || (given[field.name] ?? "").trim() !== "");
  return (
    <form
      aria-label={line(hold.title)}
      className="space-y-4 rounded-lg border border-high/60 bg-high-soft/40 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!ready || reviewing.isPending || !settled) return;
        const answer = Object.fromEntries(Object.entries(given).filter(([, text]) => text.trim() !== ""));
        reviewing.mutate({ verdict: "answer", answer, digest: hold.digest }, { onSuccess: drop });
      }}
    >
      <p className="font-medium break-words">{line(hold.title)}</p>
      {fields.map((field) => (
        <One key={field.name} field={field} alone={fields.length === 2 && line(field.title) === line(hold.title)} value={given[field.name] ?? ""} onChange={(text) => setGiven({ ...given, [field.name]: text })} />
      ))}
      {reviewing.isError ? <Notice tone="error" title={problemFrom(reviewing.error).message} /> : null}
      <Button type="submit" tone="accent" disabled={!ready || reviewing.isPending} waits={!settled}>
        {reviewing.isPending ? WORDS.sending : WORDS.sendAnswer}
      </Button>
    </form>
  );
}

interface OneProps {
  field: Asked;
  /** The question is the heading already. */
  alone: boolean;
  value: string;
  onChange: (text: string) => void;
}

function One({ field, alone, value, onChange }: OneProps) {
  if (field.choices.length > 0) {
    return (
      <fieldset className="space-y-1.5">
        <legend className={alone ? "sr-only" : "mb-1.5 font-medium"}>{line(field.title)}</legend>
        {field.choices.map((choice) => (
          <label key={choice} className="flex cursor-pointer items-center gap-3 rounded-md border border-line bg-panel px-3 py-2 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft">
            <input type="radio" name={field.name} className="size-4 accent-accent" checked={choice === value} onChange={() => onChange(choice)} />
            <span className="min-w-0 break-words">{plain(choice)}</span>
          </label>
        ))}
      </fieldset>
    );
  }
  const label = field.required ? line(field.title) : `${line(field.title)} (optional)`;
  return (
    <Field label={label}>
      {(props) =>
        field.long ? (
          <TextArea {...props} rows={3} value={value} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <Input {...props} value={value} onChange={(event) => onChange(event.target.value)} />
        )
      }
    </Field>
  );
}
