/** What the policy would say of an action: nothing is opened and nothing recorded. */
import { useState, type SyntheticEvent } from "react";
import { Facts } from "@/components/facts";
import { Panel } from "@/components/page";
import { RiskBadge, RiskWord } from "@/components/risk";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAssess, type Assessment } from "@/features/policy/api";
import { objectIn } from "@/features/policy/cases";
import { TEXTS } from "@/features/policy/texts";
import { problemFrom } from "@/lib/api";
import { listed, oneOf, plain, span, words } from "@/lib/format";

const WORDS = TEXTS.try;

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
    <Panel title={WORDS.title} note={files ? WORDS.candidate : WORDS.inForce}>
      <form onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
        <Field label={WORDS.action} hint={WORDS.actionHint}>
          {(props) => <Input {...props} required value={name} onChange={(e) => setName(e.target.value)} />}
        </Field>
        <Field label={WORDS.target}>{(props) => <Input {...props} value={target} onChange={(e) => setTarget(e.target.value)} />}</Field>
        <Field label={WORDS.args} error={given === null ? WORDS.notAnObject : null}>
          {(props) => <TextArea {...props} rows={1} className="font-mono text-xs" placeholder="{}" value={args} onChange={(e) => setArgs(e.target.value)} />}
        </Field>
        <Field label={WORDS.claims} error={claimed === null ? WORDS.notAnObject : null}>
          {(props) => <TextArea {...props} rows={1} className="font-mono text-xs" placeholder="{}" value={claims} onChange={(e) => setClaims(e.target.value)} />}
        </Field>
        <div className="sm:col-span-2">
          <Button type="submit" tone="accent" disabled={assessing.isPending}>
            {assessing.isPending ? WORDS.asking : WORDS.ask}
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

function Verdict({ of }: { of: Assessment }) {
  const { requirements } = of;
  return (
    <div className="mt-4 space-y-3 border-t border-line pt-4">
      <p className="flex flex-wrap items-center gap-3">
        <RiskBadge level={of.level} />
        {of.auto_approve ? (
          WORDS.unasked
        ) : (
          WORDS.needs(requirements.approvals, oneOf(requirements.roles), listed(requirements.required.map(oneOf), "and"), requirements.justification)
        )}
      </p>
      <ul className="space-y-1">
        {of.rules.map((rule) => (
          <li key={rule.rule} className="flex flex-wrap gap-x-3">
            <RiskWord level={rule.level} className="text-xs" />
            <span>{plain(rule.reason)}</span>
            <span className="text-ink-3">
              {WORDS.rule(rule.rule, rule.from === "claim")}
            </span>
          </li>
        ))}
      </ul>
      {of.facts.length === 0 ? <p className="text-ink-3">{WORDS.facts.none}</p> : <Facts of={of.facts} caption={WORDS.facts.title} />}
      {of.auto_approve ? null : (
        <p className="text-ink-3">
          {of.escalate_after === null ? WORDS.neverEscalates : WORDS.escalates(listed(of.escalate_to.map(words), "and"), span(of.escalate_after * 1000))}{" "}
          {of.timeout === null ? WORDS.waits : WORDS.ends(of.on_expiry, span(of.timeout * 1000))}
        </p>
      )}
    </div>
  );
}
