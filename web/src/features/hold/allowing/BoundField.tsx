import { Input, Select } from "@/components/ui/field";
import { boundOf, changed, KINDS, type Draft, type Kind } from "@/features/hold/allowing/bounds";
import { TEXTS } from "@/features/hold/allowing/texts";
import { line } from "@/lib/format";

const WORDS = TEXTS.boundField;

interface Props {
  name: string;
  /** What it is in the call that the grant is like. */
  value: unknown;
  draft: Draft;
  onChange: (draft: Draft) => void;
}

/** One argument: what is said of it, and the values. */
export function BoundField({ name, value, draft, onChange }: Props) {
  const shown = line(name);
  const wrong = boundOf(draft) === null;
  return (
    <div className="grid items-start gap-2 sm:grid-cols-[10rem_9rem_1fr]">
      <span className="pt-2 font-mono text-sm break-all">{shown}</span>
      <Select aria-label={WORDS.boundFor(shown)} value={draft.kind} onChange={(e) => onChange(changed(e.target.value as Kind, value))}>
        {Object.entries(KINDS).map(([kind, label]) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
      </Select>
      {draft.kind === "any" ? (
        <p className="pt-2 text-high">{WORDS.whateverAgentSends}</p>
      ) : draft.kind === "range" ? (
        <span className="grid grid-cols-2 gap-2">
          <Input aria-label={WORDS.least(shown)} inputMode="decimal" value={draft.min} onChange={(e) => onChange({ ...draft, min: e.target.value })} aria-invalid={wrong} />
          <Input aria-label={WORDS.most(shown)} inputMode="decimal" value={draft.max} onChange={(e) => onChange({ ...draft, max: e.target.value })} aria-invalid={wrong} />
        </span>
      ) : (
        <span>
          <Input aria-label={WORDS.valueOf(shown)} className="font-mono text-sm" value={draft.text} onChange={(e) => onChange({ ...draft, text: e.target.value })} aria-invalid={wrong} />
          {wrong ? <span className="text-xs text-critical">{WORDS.writeValuesAsJson}</span> : null}
        </span>
      )}
    </div>
  );
}
