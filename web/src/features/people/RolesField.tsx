import { useQuery } from "@tanstack/react-query";
import { rolesQuery } from "@/features/people/api";
import { TEXTS } from "@/features/people/texts";
import { words } from "@/lib/format";

const WORDS = TEXTS.rolesField;

/** The roles of the policy in force to choose from, and those already held. */
export function RolesField({ value, onChange }: { value: string[]; onChange: (value: string[]) => void }) {
  const known = useQuery(rolesQuery).data ?? [];
  const shown = [...new Set([...known, ...value])].sort();
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1 font-medium">{WORDS.roles}</legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-1.5">
        {shown.map((role) => (
          <label key={role} className="flex items-center gap-2 first-letter:uppercase">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={value.includes(role)}
              onChange={(event) => onChange(event.target.checked ? [...value, role] : value.filter((one) => one !== role))}
            />
            {words(role)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
