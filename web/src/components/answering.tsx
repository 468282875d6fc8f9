/** The answer to a question, in the way that its schema asks for: words, a number, a choice, a form. */
import { Suspense, type ReactNode } from "react";
import { TEXTS } from "@/components/texts";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Waiting } from "@/components/ui/waiting";
import { answerKind, isSecret, type Choice } from "@/lib/answer";
import { useDraft } from "@/lib/drafts";
import { plain } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { lazy } from "@/lib/lazy";

const WORDS = TEXTS.answering;

// by far the largest part, and only some questions need it
const SchemaForm = lazy(() => import("@/components/schema-form"));

interface Props {
  hold: Hold;
  sending: boolean;
  /** Not readable long enough to be answered. */
  waits: boolean;
  /** `done` when the server has taken it: what was typed is no longer kept. */
  onSend: (answer: unknown, done: () => void) => void;
}

export function Answering({ hold, sending, waits, onSend }: Props) {
  const kind = answerKind(hold.schema);
  const [answer, setAnswer, drop] = useDraft<unknown>(`answer:${hold.digest}`, undefined, !isSecret(hold.schema));
  const send = (given: unknown) => onSend(given, drop);
  switch (kind.as) {
    case "choice":
      return <Choices choices={kind.choices} chosen={answer} onChoose={setAnswer} onSend={send} sending={sending} waits={waits} />;
    case "form":
      return (
        <Suspense fallback={<Waiting what={WORDS.theForm} />}>
          <SchemaForm
            schema={hold.schema as object}
            data={answer}
            onChange={setAnswer}
            onSend={send}
            sending={sending}
            waits={waits}
            send={WORDS.sendAnswer}
          />
        </Suspense>
      );
    case "number":
      return (
        <Answer sending={sending} waits={waits} ready={typeof answer === "string" && answer.trim() !== "" && Number.isFinite(Number(answer))} onSend={() => send(Number(answer))}>
          <Field label={kind.integer ? WORDS.aWholeNumber : WORDS.aNumber}>
            {(props) => <Input {...props} inputMode="decimal" value={textOf(answer)} onChange={(event) => setAnswer(event.target.value)} />}
          </Field>
        </Answer>
      );
    case "text":
      return (
        <Answer sending={sending} waits={waits} ready={textOf(answer).trim() !== ""} onSend={() => send(textOf(answer))}>
          {/* the question stands above it, or the heading of a hold's answer: a label would say it twice */}
          <TextArea
            aria-label={WORDS.yourAnswer}
            rows={3}
            value={textOf(answer)}
            onChange={(event) => setAnswer(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") event.currentTarget.blur();
              if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.repeat && !waits && textOf(answer).trim() !== "") send(textOf(answer));
            }}
          />
        </Answer>
      );
  }
}

function textOf(answer: unknown): string {
  return typeof answer === "string" ? answer : "";
}

function Answer({ ready, sending, waits, onSend, children }: { ready: boolean; sending: boolean; waits: boolean; onSend: () => void; children: ReactNode }) {
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSend();
      }}
    >
      {children}
      <Button type="submit" tone="accent" disabled={!ready || sending} waits={waits}>
        {sending ? WORDS.sending : WORDS.sendAnswer}
      </Button>
    </form>
  );
}

interface ChoicesProps {
  choices: Choice[];
  chosen: unknown;
  onChoose: (value: unknown) => void;
  onSend: (value: unknown) => void;
  sending: boolean;
  waits: boolean;
}

function Choices({ choices, chosen, onChoose, onSend, sending, waits }: ChoicesProps) {
  return (
    <Answer sending={sending} waits={waits} ready={choices.some((one) => one.value === chosen)} onSend={() => onSend(chosen)}>
      <fieldset className="space-y-2">
        <legend className="sr-only">{WORDS.chooseOne}</legend>
        {choices.map((choice) => (
          <label
            key={JSON.stringify(choice.value)}
            className="flex cursor-pointer items-center gap-3 rounded-lg border border-line px-4 py-2.5 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="answer"
              className="size-4 accent-accent"
              checked={choice.value === chosen}
              onChange={() => onChoose(choice.value)}
            />
            {plain(choice.label)}
          </label>
        ))}
      </fieldset>
    </Answer>
  );
}
