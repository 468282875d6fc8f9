/** A form made from a JSON schema. */
import Form from "@rjsf/core";
import { useMemo } from "react";
import { looksOf } from "@/components/forms/looks";
import { templates, widgets } from "@/components/forms/theme";
import { Button } from "@/components/ui/button";
import validator from "@/components/schema-validator";
import { TEXTS } from "@/components/texts";

const WORDS = TEXTS.schemaForm;

interface Props {
  schema: object;
  data: unknown;
  onChange: (data: unknown) => void;
  onSend: (data: unknown) => void;
  sending: boolean;
  waits?: boolean;
  /** What the button says. */
  send: string;
}

export default function SchemaForm({ schema, data, onChange, onSend, sending, waits, send }: Props) {
  const looks = useMemo(() => looksOf(schema), [schema]);
  return (
    <Form
      className="space-y-4"
      schema={schema}
      uiSchema={looks}
      templates={templates}
      widgets={widgets}
      validator={validator}
      formData={data}
      onChange={(event) => onChange(event.formData)}
      onSubmit={(event) => onSend(event.formData)}
      // each field shows its own
      onError={() => undefined}
      showErrorList={false}
      focusOnFirstError
      noHtml5Validate
    >
      <Button type="submit" tone="accent" disabled={sending} waits={waits}>
        {sending ? WORDS.sending : send}
      </Button>
    </Form>
  );
}
