/** A form made from a JSON schema. */
import Form from "@rjsf/core";
import { Button } from "@/components/ui/button";
import validator from "@/features/hold/validator";

interface Props {
  schema: object;
  data: unknown;
  onChange: (data: unknown) => void;
  onSend: (data: unknown) => void;
  sending: boolean;
}

export default function SchemaForm({ schema, data, onChange, onSend, sending }: Props) {
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
      <Button type="submit" tone="accent" disabled={sending}>
        {sending ? "Sending…" : "Send the answer"}
      </Button>
    </Form>
  );
}
