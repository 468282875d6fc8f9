/** Whether an agent is only observed: what went through meanwhile, and the switch, with a reason. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { toast } from "@/components/toasts";
import { Ago } from "@/components/ui/time";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useEnforce, useObserve, type Observed, type Person } from "@/features/people/api";
import { TEXTS } from "@/features/people/texts";
import { problemFrom } from "@/lib/api";
import { line, words } from "@/lib/format";

const WORDS = TEXTS.observing;

export function Observing({ person, observed }: { person: Person; observed: Observed | undefined }) {
  const [reason, setReason] = useState("");
  const observing = useObserve();
  const enforcing = useEnforce();
  const changing = observed ? enforcing : observing;
  return (
    <form
      className="space-y-3 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        changing.mutate(
          { agent: person.id, reason: reason.trim() },
          {
            onSuccess: () => {
              setReason("");
              toast({ title: observed ? WORDS.policyIsEnforcedFor(line(person.name)) : WORDS.isOnlyObserved(line(person.name)), tone: "good" });
            },
          },
        );
      }}
    >
      {observed ? <Passed observed={observed} /> : <p className="text-ink-2">{WORDS.policyIsEnforced}</p>}
      <Field label={WORDS.reason}>{(props) => <TextArea {...props} rows={2} required value={reason} onChange={(event) => setReason(event.target.value)} />}</Field>
      {changing.isError ? <Notice tone="error" title={problemFrom(changing.error).message} /> : null}
      <Button type="submit" tone={observed ? "accent" : "plain"} disabled={reason.trim() === "" || changing.isPending}>
        {observed ? WORDS.enforceThePolicy : WORDS.onlyObserve}
      </Button>
    </form>
  );
}

function Passed({ observed }: { observed: Observed }) {
  return (
    <div className="space-y-2">
      <p className="text-ink-2">
        {WORDS.onlyObserved(line(observed.by.name))} <Ago at={observed.since} />: {line(observed.reason)}
      </p>
      {observed.passed.length === 0 ? (
        <p className="text-ink-3">{WORDS.nothingWentThroughThatPeople}</p>
      ) : (
        <ul aria-label={WORDS.whatWentThrough} className="max-h-64 divide-y divide-line overflow-y-auto rounded border border-line">
          {observed.passed.map((one) => (
            <li key={`${one.action} ${one.risk} ${one.roles.join()}`} className="flex flex-wrap gap-x-3 px-3 py-2">
              <span className="tabular-nums">{one.count}×</span>
              <span className="min-w-0 flex-1 font-mono text-sm break-all">{line(one.action)}</span>
              <span>{one.risk}</span>
              <span className="w-full text-ink-3">
                {WORDS.ofWouldHaveDecided(one.approvals, one.roles.map(words).join(", "))}{" "}
                <Link to="/holds/$holdId" params={{ holdId: one.last_hold }} className="underline">
                  {one.last_short_id}
                </Link>{" "}
                <Ago at={one.last_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
