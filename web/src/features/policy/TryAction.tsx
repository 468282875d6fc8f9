/** What the policy would say of an action: nothing is opened and nothing recorded. */
import { useState, type SyntheticEvent } from "react";
import { Panel } from "@/components/page";
import { RiskBadge, RiskWord } from "@/components/risk";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAssess, type Assessment } from "@/features/policy/api";
import { problemFrom } from "@/lib/api";
import { listed, oneOf, plain, plural, span, words } from "@/lib/format";

const NOT_AN_OBJECT = "This must be a JSON object, such as {\"amount\": 12}.";

export function TryAction() {
  const [name, setName] = useState("deploy");
  const [target, setTarget] = useState("production");
  const [args, setArgs] = useState("");
  const [claims, setClaims] = useState("");
  const assessing = useAssess();
  const given = parsed(args);
  const claimed = parsed(claims);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (given === null || claimed === null) return;
    const action = { name: name.trim(), args: given, target: target.trim() || null };
    assessing.mutate({ kind: "approval", action, task: claims.trim() ? claimed : null });
  }

  return (
    <Panel title="Try an action" note="nothing is opened or recorded">
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

function parsed(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
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
      <p className="text-ink-3">
        {of.facts.length === 0
          ? "No registered action matches, so nothing is known about it."
          : `Known facts: ${of.facts.map((fact) => `${words(fact.name)} ${plain(fact.value)} (from ${plain(fact.source)})`).join("; ")}.`}
      </p>
      {of.auto_approve ? null : (
        <p className="text-ink-3">
          {of.escalate_after === null ? "Never escalates" : `Escalates to ${listed(of.escalate_to.map(words), "and")} after ${span(of.escalate_after * 1000)}`};{" "}
          {of.timeout === null ? "waits indefinitely" : `${of.on_expiry === "reject" ? "is rejected" : "expires"} after ${span(of.timeout * 1000)}`}.
        </p>
      )}
    </div>
  );
}
