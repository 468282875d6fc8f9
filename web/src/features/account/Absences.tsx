/** Being away: who decides meanwhile, and for whom one stands in. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type SyntheticEvent } from "react";
import { Panel } from "@/components/page";
import { Sure } from "@/components/tokens";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { absencesQuery, endAbsence, setAbsence, type Absence } from "@/features/account/api";
import { TEXTS } from "@/features/account/texts";
import { problemFrom } from "@/lib/api";
import { exact, line } from "@/lib/format";
import { useMe } from "@/lib/me";

const WORDS = TEXTS.absences;

const LEVELS = ["low", "medium", "high", "critical"] as const;

export function Absences() {
  const me = useMe();
  const queries = useQueryClient();
  const found = useQuery(absencesQuery);
  // whoever comes or goes sees other holds
  const settle = { onSuccess: () => queries.invalidateQueries() };
  const ending = useMutation({ mutationFn: endAbsence, ...settle });
  const setting = useMutation({ mutationFn: setAbsence, ...settle });
  const problem = setting.error ?? ending.error ?? found.error;
  return (
    <Panel title={WORDS.absence} note={WORDS.whoDecidesForYouWhile}>
      {problem ? <Notice tone="error" title={problemFrom(problem).message} className="mb-3" /> : null}
      {found.data?.length ? (
        <ul aria-label={WORDS.absences} className="-mt-2 mb-3 divide-y divide-line">
          {found.data.map((one) => (
            <Row key={one.id} one={one} away={one.person.id === me.id} disabled={ending.isPending} onEnd={() => ending.mutate(one.id)} />
          ))}
        </ul>
      ) : null}
      <Plan disabled={setting.isPending} onPlan={(body, done) => setting.mutate(body, { onSuccess: done })} />
      <p className="pt-3 text-xs text-ink-3">
        {WORDS.yourStandInDecidesWith}
      </p>
    </Panel>
  );
}

function Row({ one, away, disabled, onEnd }: { one: Absence; away: boolean; disabled: boolean; onEnd: () => void }) {
  const who = away ? WORDS.decidesForYou(line(one.stand_in.name)) : WORDS.youDecideFor(line(one.person.name));
  const state = { planned: ", planned", in_force: "", suspended: ", suspended: the stand-in is away as well", ended: ", ended" }[one.status];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <span className="min-w-0 flex-1 basis-48">
        <span className="block font-medium break-words">
          {who}
          {state}
        </span>
        <span className="block text-xs break-words text-ink-3">
          {WORDS.to(exact(one.from), exact(one.until), scope(one))}
          {one.set_by.id === one.person.id ? null : WORDS.setBy(line(one.set_by.name), line(one.reason ?? ""))}
        </span>
      </span>
      <Sure label={away ? WORDS.imBack : WORDS.decline} about={who} disabled={disabled} onSure={onEnd} />
    </li>
  );
}

function scope(one: Absence): string {
  const cases = one.cases.length > 0 ? [WORDS.in(one.cases.map(line).join(", "))] : [];
  return [one.levels.join(" and "), one.actions.map(line).join(", "), ...cases].filter(Boolean).join(" ") || "everything";
}

type Body = Parameters<typeof setAbsence>[0];

function Plan({ disabled, onPlan }: { disabled: boolean; onPlan: (body: Body, done: () => void) => void }) {
  const [standIn, setStandIn] = useState("");
  const [from, setFrom] = useState("");
  const [until, setUntil] = useState("");
  const [levels, setLevels] = useState<(typeof LEVELS)[number][]>([]);
  const [actions, setActions] = useState("");
  const [cases, setCases] = useState("");

  function plan(event: SyntheticEvent) {
    event.preventDefault();
    const body: Body = {
      stand_in: standIn.trim(),
      until: new Date(until).toISOString(),
      from: from ? new Date(from).toISOString() : null,
      levels,
      actions: listed(actions),
      cases: listed(cases),
    };
    onPlan(body, () => {
      setStandIn("");
      setFrom("");
      setUntil("");
      setLevels([]);
      setActions("");
      setCases("");
    });
  }

  return (
    <form onSubmit={plan} className="space-y-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label={WORDS.standIn}>{(props) => <Input {...props} value={standIn} onChange={(e) => setStandIn(e.target.value)} placeholder={WORDS.name} required maxLength={200} />}</Field>
        <Field label={WORDS.from} hint={WORDS.now}>
          {(props) => <Input {...props} type="datetime-local" value={from} onChange={(e) => setFrom(e.target.value)} />}
        </Field>
        <Field label={WORDS.until}>{(props) => <Input {...props} type="datetime-local" value={until} onChange={(e) => setUntil(e.target.value)} required />}</Field>
      </div>
      <details>
        <summary className="cursor-pointer text-ink-2">{WORDS.onlySomeDecisions}</summary>
        <div className="space-y-3 pt-3">
          <fieldset className="flex flex-wrap gap-4">
            <legend className="mb-1.5 font-medium">{WORDS.levelsOfRisk}</legend>
            {LEVELS.map((level) => (
              <label key={level} className="flex items-center gap-2">
                <input
                  type="checkbox"
                  checked={levels.includes(level)}
                  onChange={(e) => setLevels(e.target.checked ? [...levels, level] : levels.filter((one) => one !== level))}
                />
                {level}
              </label>
            ))}
          </fieldset>
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label={WORDS.actions} hint={WORDS.names}>
              {(props) => <Input {...props} value={actions} onChange={(e) => setActions(e.target.value)} placeholder={WORDS.deploy} />}
            </Field>
            <Field label={WORDS.cases} hint={WORDS.separatedByCommas}>
              {(props) => <Input {...props} value={cases} onChange={(e) => setCases(e.target.value)} />}
            </Field>
          </div>
        </div>
      </details>
      <Button type="submit" disabled={disabled}>
        {disabled ? WORDS.sending : WORDS.setAbsence}
      </Button>
    </form>
  );
}

function listed(text: string): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}
