/** One action that ran unasked: what it did, why nobody was asked, and a person's word on it. */
import { useQuery } from "@tanstack/react-query";
import { Link, linkOptions, useNavigate, useParams } from "@tanstack/react-router";
import { Check, Flag } from "lucide-react";
import { useState } from "react";
import { Beside, Fetched } from "@/components/desk";
import { Sentence } from "@/components/effect";
import { Facts } from "@/components/facts";
import { Tree } from "@/components/json";
import { RiskWord } from "@/components/risk";
import { Section } from "@/components/section";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { TEXTS } from "@/features/hindsight/texts";
import { problemFrom } from "@/lib/api";
import { line, plain } from "@/lib/format";
import { holdQuery, type Hold } from "@/lib/holds";
import { useKeys } from "@/lib/keys";
import { samplesQuery, useLook } from "@/lib/sampling";
import { useSettled } from "@/lib/settled";
import { fieldsOf, ranUnasked } from "@/lib/wording";

const WORDS = TEXTS.samples;

export function SamplePage() {
  const { holdId } = useParams({ from: "/shell/insights/samples/$holdId" });
  const hold = useQuery(holdQuery(holdId));
  return (
    <Beside back={linkOptions({ to: "/insights/samples" })} name={WORDS.title}>
      <Fetched query={hold} what={WORDS.loadingOne}>
        {(known) => <Shown key={known.id} hold={known} />}
      </Fetched>
    </Beside>
  );
}

function Shown({ hold }: { hold: Hold }) {
  const by = line(hold.opened_by.name);
  return (
    <>
      <article aria-label={line(hold.title)} tabIndex={0} className="min-h-0 flex-1 overflow-y-auto -outline-offset-2">
        <div className="mx-auto max-w-3xl space-y-6 px-4 py-6 sm:px-8">
          <header className="space-y-3">
            <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-3">
              <RiskWord level={hold.risk} />
              <Link to="/holds/$holdId" params={{ holdId: hold.id }} className="underline">
                {hold.short_id}
              </Link>
              {hold.redeemed ? (
                <span>
                  {WORDS.ran} <Ago at={hold.redeemed.at} />
                </span>
              ) : null}
            </p>
            <h1 className="text-xl leading-snug font-semibold break-words">
              <Sentence of={ranUnasked(hold)} />
            </h1>
            <blockquote className="border-l-2 border-dashed border-line-strong/50 pl-3 text-ink-2">
              <p>
                <span className="text-ink-3">{WORDS.said(by)} </span>
                {line(hold.title)}
              </p>
              {hold.description ? <p className="break-words whitespace-pre-wrap">{plain(hold.description)}</p> : null}
            </blockquote>
          </header>
          <Section title={WORDS.whyUnasked} note={WORDS.policyVersion(hold.policy_version)}>
            <ul className="space-y-1">
              {hold.rules.map((rule) => (
                <li key={rule.rule} className="break-words">
                  {plain(rule.reason)} <span className="text-xs text-ink-3">{WORDS.rule(rule.rule)}</span>
                </li>
              ))}
            </ul>
            {hold.rules.length === 0 ? <p className="text-ink-2">{WORDS.noRule}</p> : null}
            {hold.facts.length > 0 ? <Facts of={hold.facts} /> : null}
          </Section>
          {hold.action ? (
            <Section title={WORDS.arguments}>
              <Tree of={fieldsOf(hold.action)} />
            </Section>
          ) : null}
          {hold.evidence == null ? null : (
            <Section title={WORDS.evidence} note={WORDS.by(by)} claim>
              <Tree of={hold.evidence} prose />
            </Section>
          )}
          <Section title={WORDS.result} note={WORDS.by(by)} claim>
            <p>{hold.result ? WORDS.outcome(hold.result.outcome) : WORDS.noResult}</p>
            {hold.result?.detail == null ? null : <Tree of={hold.result.detail} prose />}
          </Section>
        </div>
      </article>
      <Judging hold={hold} />
    </>
  );
}

/** Fine by one key; a finding by one key and its reason. Then the next one opens. */
function Judging({ hold }: { hold: Hold }) {
  const waiting = useQuery(samplesQuery).data?.samples;
  const [finding, setFinding] = useState(false);
  const [reason, setReason] = useState("");
  const looking = useLook();
  const navigate = useNavigate();
  const settled = useSettled(hold.id);
  const open = waiting?.some((one) => one.hold_id === hold.id) ?? false;
  const off = !open || looking.isPending;

  function send(found: boolean) {
    const at = waiting?.findIndex((one) => one.hold_id === hold.id) ?? -1;
    const next = waiting?.[at + 1] ?? waiting?.[at - 1];
    looking.mutate(
      { holdId: hold.id, finding: found, reason: found ? reason.trim() : null },
      {
        onSuccess: () => {
          toast({ title: found ? WORDS.found(hold.short_id) : WORDS.fineDone(hold.short_id), tone: "good" });
          if (next) void navigate({ to: "/insights/samples/$holdId", params: { holdId: next.hold_id } });
          else void navigate({ to: "/insights/samples/findings" });
        },
      },
    );
  }
  useKeys(
    finding || off || !settled
      ? {}
      : {
          f: () => send(false),
          r: () => setFinding(true),
        },
  );
  if (waiting && !open && !looking.isPending) return <Over id={hold.id} />;
  return (
    <section aria-label={WORDS.judging} className="border-t border-line bg-panel px-4 py-3 sm:px-8">
      <div className="mx-auto max-w-3xl space-y-3">
        {looking.isError ? <Notice tone="error" title={problemFrom(looking.error).message} /> : null}
        {finding ? (
          <form
            className="space-y-3"
            onSubmit={(event) => {
              event.preventDefault();
              if (reason.trim() !== "" && !off) send(true);
            }}
          >
            <Field label={WORDS.reason} hint={WORDS.reasonHint}>
              {(props) => (
                <TextArea
                  {...props}
                  rows={2}
                  autoFocus
                  required
                  value={reason}
                  onChange={(event) => setReason(event.target.value)}
                  onKeyDown={(event) => {
                    if (event.key === "Escape") setFinding(false);
                    if (event.key === "Enter" && !event.shiftKey) {
                      event.preventDefault();
                      if (!event.repeat) event.currentTarget.form?.requestSubmit();
                    }
                  }}
                />
              )}
            </Field>
            <div className="flex gap-2">
              <Button type="submit" tone="critical" disabled={off || reason.trim() === ""}>
                {looking.isPending ? WORDS.sending : WORDS.record} <Kbd>↵</Kbd>
              </Button>
              <Button tone="ghost" onClick={() => setFinding(false)}>
                {WORDS.back}
              </Button>
            </div>
          </form>
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <Button tone="accent" disabled={off} waits={!settled} onClick={() => send(false)}>
              <Check aria-hidden className="size-4" />
              {looking.isPending ? WORDS.sending : WORDS.fine} <Kbd>f</Kbd>
            </Button>
            <Button tone="danger" disabled={off} waits={!settled} onClick={() => setFinding(true)}>
              <Flag aria-hidden className="size-4" />
              {WORDS.raise} <Kbd>r</Kbd>
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

function Over({ id }: { id: string }) {
  return (
    <section aria-label={WORDS.judging} className="border-t border-line bg-panel px-4 py-3 sm:px-8">
      <p role="status" className="mx-auto max-w-3xl text-ink-2">
        {WORDS.over}{" "}
        <Link to="/holds/$holdId" params={{ holdId: id }} className="underline">
          {WORDS.timeline}
        </Link>
      </p>
    </section>
  );
}
