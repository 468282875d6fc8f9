/** A form made from a JSON schema. */
import Form from "@rjsf/core";
import { Button } from "@/components/ui/button";
import validator from "@/components/schema-validator";

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
  return (
    <Form
      className="schema-form"
      schema={schema}
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
        {sending ? "Sending…" : send}
      </Button>
    </Form>
  );
}
