/** A table of actions and what the policy must say of each; what it says now stands at the end of the line. */
import { Plus, Trash2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/field";
import { asCase, EMPTY_CASE, type CaseDraft, type CaseOutcome } from "@/features/policy/cases";
import { TEXTS } from "@/features/policy/texts";
import { cn } from "@/lib/cn";
import { LEVELS } from "@/lib/holds";

const WORDS = TEXTS.cases;
const HEAD = [WORDS.name, WORDS.action, WORDS.target, WORDS.args, WORDS.level, WORDS.asks, WORDS.result];

interface Props {
  cases: CaseDraft[];
  outcomes: CaseOutcome[];
  onChange: (cases: CaseDraft[]) => void;
}

export function Cases({ cases, outcomes, onChange }: Props) {
  const set = (index: number, change: Partial<CaseDraft>) => onChange(cases.with(index, { ...(cases[index] ?? EMPTY_CASE), ...change }));
  return (
    <div className="space-y-3">
      <p className="text-ink-2">{WORDS.intro}</p>
      {cases.length === 0 ? (
        <p className="text-ink-3">{WORDS.none}</p>
      ) : (
        <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={WORDS.title}>
          <table className="w-full min-w-180 text-xs">
            <thead>
              <tr>
                {HEAD.map((name) => (
                  <th key={name} scope="col" className="px-1 pb-1 text-left font-medium text-ink-3">
                    {name}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {cases.map((one, index) => (
                <tr key={index} className="align-top">
                  {(["name", "action", "target", "args"] as const).map((name) => (
                    <td key={name} className="px-1 py-1">
                      <Input
                        aria-label={`${WORDS[name]} ${index + 1}`}
                        aria-invalid={name === "args" && asCase(one) === null}
                        className={cn("h-8", name === "args" && "font-mono", name === "args" && asCase(one) === null && "border-critical")}
                        value={one[name]}
                        onChange={(event) => set(index, { [name]: event.target.value })}
                      />
                    </td>
                  ))}
                  <td className="px-1 py-1">
                    <Select aria-label={`${WORDS.level} ${index + 1}`} className="h-8 w-24" value={one.level} onChange={(event) => set(index, { level: event.target.value as CaseDraft["level"] })}>
                      {LEVELS.map((level) => (
                        <option key={level}>{level}</option>
                      ))}
                    </Select>
                  </td>
                  <td className="px-1 py-1">
                    <Select aria-label={`${WORDS.asks} ${index + 1}`} className="h-8 w-20" value={one.asks} onChange={(event) => set(index, { asks: event.target.value as CaseDraft["asks"] })}>
                      <option value="">{WORDS.either}</option>
                      <option value="yes">{WORDS.yes}</option>
                      <option value="no">{WORDS.no}</option>
                    </Select>
                  </td>
                  <td className="px-1 py-2.5 whitespace-nowrap">{asCase(one) === null ? <span className="text-critical">{WORDS.badJson}</span> : <Outcome of={outcomes[index]} />}</td>
                  <td className="py-1">
                    <Button tone="ghost" size="icon" className="size-8" aria-label={WORDS.remove(one.name || WORDS.unnamed)} onClick={() => onChange(cases.toSpliced(index, 1))}>
                      <Trash2 aria-hidden className="size-4" />
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Button size="sm" onClick={() => onChange([...cases, EMPTY_CASE])}>
        <Plus aria-hidden className="size-4" /> {WORDS.add}
      </Button>
    </div>
  );
}

function Outcome({ of }: { of: CaseOutcome | undefined }) {
  if (!of) return <span className="text-ink-3">–</span>;
  return of.passed ? <span className="text-good">✓ {WORDS.passed}</span> : <span className="font-medium text-critical">✗ {WORDS.failed(of.level, of.asks)}</span>;
}
