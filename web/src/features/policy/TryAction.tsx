/** What the policy would say of an action: nothing is opened and nothing recorded. */
import { useState, type SyntheticEvent } from "react";
import { Panel } from "@/components/page";
import { RiskBadge, RiskWord } from "@/components/risk";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAssess, type Assessment } from "@/features/policy/api";
import { objectIn } from "@/features/policy/cases";
import { TEXTS } from "@/features/policy/texts";
import { problemFrom } from "@/lib/api";
import { listed, oneOf, plain, plural, span, words } from "@/lib/format";

const NOT_AN_OBJECT = "This must be a JSON object, such as {\"amount\": 12}.";

/** Under the policy in force; with `files`, under a candidate. */
export function TryAction({ files }: { files?: Record<string, string> }) {
  const [name, setName] = useState("deploy");
  const [target, setTarget] = useState("production");
  const [args, setArgs] = useState("");
  const [claims, setClaims] = useState("");
  const assessing = useAssess();
  const given = objectIn(args);
  const claimed = objectIn(claims);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (given === null || claimed === null) return;
    const action = { name: name.trim(), args: given, target: target.trim() || null };
    assessing.mutate({ kind: "approval", action, task: claims.trim() ? claimed : null, files: files ?? null });
  }

  return (
    <Panel title="Try an action" note={`${files ? TEXTS.try.candidate : TEXTS.try.inForce}; nothing is opened or recorded`}>
      <form onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
        <Field label="Action" hint="The tool's name, such as bash or delete_database.">
          {(props) => <Input {...props} required value={name} onChange={(e) => setName(e.target.value)} />}
        </Field>
        <Field label="Target (optional)">{(props) => <Input {...props} value={target} onChange={(e) => setTarget(e.target.value)} />}</Field>
        <Field label="Arguments (optional)" error={given === null ? NOT_AN_OBJECT : null}>
          {(props) => <TextArea {...props} rows={1} className="font-mono text-xs" placeholder="{}" value={args} onChange={(e) => setArgs(e.target.value)} />}
        </Field>
        <Field label="What the agent would claim (optional)" error={claimed === null ? NOT_AN_OBJECT : null}>
          {(props) => <TextArea {...props} rows={1} className="font-mono text-xs" placeholder="{}" value={claims} onChange={(e) => setClaims(e.target.value)} />}
        </Field>
        <div className="sm:col-span-2">
          <Button type="submit" tone="accent" disabled={assessing.isPending}>
            {assessing.isPending ? "Checking…" : "What would happen?"}
          </Button>
        </div>
      </form>
      <div aria-live="polite">
        {assessing.isError ? <Notice tone="error" title={problemFrom(assessing.error).message} className="mt-4" /> : null}
        {assessing.data ? <Verdict of={assessing.data} /> : null}
      </div>
    </Panel>
  );
}

/** Which fact came from where. */
function Facts({ of }: { of: Assessment }) {
  if (of.facts.length === 0) return <p className="text-ink-3">{TEXTS.facts.none}</p>;
  return (
    <table className="w-full text-left text-xs">
      <caption className="pb-1 text-left text-ink-3">{TEXTS.facts.title}</caption>
      <thead>
        <tr>
          {TEXTS.facts.head.map((name) => (
            <th key={name} scope="col" className="border-b border-line py-1 pr-3 font-medium text-ink-3">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {of.facts.map((fact, index) => (
          <tr key={index} className="border-b border-line last:border-0">
            <td className="py-1 pr-3">{words(fact.name)}</td>
            <td className="py-1 pr-3 font-mono break-all">{plain(fact.value)}</td>
            <td className="py-1 text-ink-2">{plain(fact.source)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Verdict({ of }: { of: Assessment }) {
  const { requirements } = of;
  return (
    <div className="mt-4 space-y-3 border-t border-line pt-4">
      <p className="flex flex-wrap items-center gap-3">
        <RiskBadge level={of.level} />
        {of.auto_approve ? (
          "Runs immediately. No one needs to approve it."
        ) : (
          <>
            Needs {plural(requirements.approvals, "approval")} from {oneOf(requirements.roles)}
            {requirements.required.length > 0 ? `, including ${listed(requirements.required.map(oneOf), "and")}` : ""}
            {requirements.justification ? ", with a justification" : ""}.
          </>
        )}
      </p>
      <ul className="space-y-1">
        {of.rules.map((rule) => (
          <li key={rule.rule} className="flex flex-wrap gap-x-3">
            <RiskWord level={rule.level} className="text-xs" />
            <span>{plain(rule.reason)}</span>
            <span className="text-ink-3">
              rule {rule.rule}
              {rule.from === "claim" ? ", claimed" : ""}
            </span>
          </li>
        ))}
      </ul>
      <Facts of={of} />
      {of.auto_approve ? null : (
        <p className="text-ink-3">
          {of.escalate_after === null ? "Never escalates" : `Escalates to ${listed(of.escalate_to.map(words), "and")} after ${span(of.escalate_after * 1000)}`};{" "}
          {of.timeout === null ? "waits indefinitely" : `${of.on_expiry === "reject" ? "is rejected" : "expires"} after ${span(of.timeout * 1000)}`}.
        </p>
      )}
    </div>
  );
}
