import { Suspense, useState, type SyntheticEvent } from "react";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Waiting } from "@/components/ui/waiting";
import { asking, messageInput, messageOf, type Field as InputField } from "@/features/runs/input";
import { TEXTS } from "@/features/runs/texts";
import { useDraft } from "@/lib/drafts";
import { line } from "@/lib/format";
import { lazy } from "@/lib/lazy";
import type { Workflow } from "@/lib/workflows";

const WORDS = TEXTS.inputForm;

// by far the largest part of the page, and only some workflows need it
const SchemaForm = lazy(() => import("@/components/schema-form"));

interface Props {
  workflow: Workflow;
  /** Keeps what is written apart from that of another start. */
  draft: string;
  onStart: (input: unknown, done: () => void) => void;
  sending: boolean;
}

/** Asks for the run's input in the way that fits; JSON always does. */
export function InputForm({ workflow, draft, onStart, sending }: Props) {
  const asked = asking(workflow.input_schema);
  const [written, setWritten] = useState(asked.as === "json");
  if (asked.as === "nothing") {
    return (
      <Button tone="accent" disabled={sending} onClick={() => onStart({}, () => undefined)}>
        {sending ? WORDS.starting : WORDS.startRun}
      </Button>
    );
  }
  return (
    <section aria-label={WORDS.input} className="space-y-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="font-semibold">{WORDS.input}</h2>
        {asked.as === "json" ? null : (
          <button type="button" className="cursor-pointer text-xs text-accent underline underline-offset-2" onClick={() => setWritten(!written)}>
            {written ? (asked.as === "form" ? WORDS.asAForm : WORDS.asAMessage) : WORDS.asJson}
          </button>
        )}
      </div>
      {written ? (
        <JsonInput workflow={workflow} draft={draft} fields={asked.as === "json" ? asked.fields : []} onStart={onStart} sending={sending} />
      ) : asked.as === "message" ? (
        <MessageInput workflow={workflow} draft={draft} onStart={onStart} sending={sending} />
      ) : asked.as === "form" ? (
        <FormInput workflow={workflow} draft={draft} schema={asked.schema} onStart={onStart} sending={sending} />
      ) : null}
    </section>
  );
}

function FormInput({ workflow, draft, schema, onStart, sending }: Props & { schema: object }) {
  const [data, setData, drop] = useDraft<unknown>(`run:${workflow.name}:form${draft}`, workflow.example ?? undefined);
  return (
    <Suspense fallback={<Waiting what={WORDS.theForm} />}>
      <SchemaForm schema={schema} data={data} onChange={setData} onSend={(given) => onStart(given, drop)} sending={sending} send={WORDS.startRun} />
    </Suspense>
  );
}

function MessageInput({ workflow, draft, onStart, sending }: Props) {
  const [text, setText, drop] = useDraft(`run:${workflow.name}:message${draft}`, messageOf(workflow.example));
  const ready = text.trim() !== "";
  function send(event?: SyntheticEvent) {
    event?.preventDefault();
    if (ready && !sending) onStart(messageInput(text), drop);
  }
  return (
    <form className="space-y-3" onSubmit={send}>
      <Field label={WORDS.yourMessageToAgent} hint={WORDS.pressCtrlEnterOrEnter}>
        {(props) => (
          <TextArea
            {...props}
            rows={4}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === "Enter" && (event.metaKey || event.ctrlKey) && send()}
          />
        )}
      </Field>
      <Start ready={ready} sending={sending} />
    </form>
  );
}

function JsonInput({ workflow, draft, fields, onStart, sending }: Props & { fields: InputField[] }) {
  const [text, setText, drop] = useDraft(`run:${workflow.name}:json${draft}`, JSON.stringify(workflow.example ?? {}, null, 2));
  const [wrong, setWrong] = useState<string | null>(null);
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        const [input, error] = parsed(text);
        setWrong(error);
        if (error === null) onStart(input, drop);
      }}
    >
      <Field label={WORDS.json} error={wrong}>
        {(props) => <TextArea {...props} rows={8} spellCheck={false} className="font-mono" value={text} onChange={(event) => setText(event.target.value)} />}
      </Field>
      {fields.length > 0 ? (
        <dl aria-label={WORDS.fields} className="divide-y divide-line rounded-lg border border-line px-4 py-1 text-xs">
          {fields.map((field) => (
            <div key={field.name} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
              <dt>
                <code>{line(field.name)}</code>
              </dt>
              <dd className="text-ink-3">
                {field.type}
                {field.needed ? WORDS.required : ""}
                {field.about ? `: ${line(field.about)}` : ""}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <Start ready sending={sending} />
    </form>
  );
}

function parsed(text: string): [unknown, string | null] {
  try {
    return [JSON.parse(text), null];
  } catch (error) {
    return [null, WORDS.thisIsNotJson(error instanceof Error ? error.message : WORDS.itCannotBeRead)];
  }
}

function Start({ ready, sending }: { ready: boolean; sending: boolean }) {
  return (
    <Button type="submit" tone="accent" disabled={!ready || sending}>
      {sending ? WORDS.starting : WORDS.startRun}
    </Button>
  );
}
