import { Field, Input } from "@/components/ui/field";

const KNOWN = "developer, team_lead, tech_lead, cto, security_team, auditor, administrator";

export function splitRoles(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((role) => role !== ""))];
}

export function RolesField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Field label="Roles" hint={`Separated by commas. The default policy knows ${KNOWN}.`}>
      {(props) => <Input {...props} value={value} autoComplete="off" onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}
