/** What findings led to, and which share of each action is looked at. */
import { useQuery } from "@tanstack/react-query";
import { Link, linkOptions, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Beside, Fetched } from "@/components/desk";
import { Panel } from "@/components/page";
import { Replayed } from "@/components/replayed";
import { RiskWord } from "@/components/risk";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { TEXTS } from "@/features/hindsight/texts";
import { problemFrom } from "@/lib/api";
import { keepDraft } from "@/lib/drafts";
import { line, plain } from "@/lib/format";
import { administers, readsAll, useMe } from "@/lib/me";
import { proposedRuleQuery, samplesQuery, type Sample, type Sampling } from "@/lib/sampling";

const WORDS = TEXTS.samples;

export function Findings() {
  const found = useQuery(samplesQuery);
  return (
    <Beside back={linkOptions({ to: "/insights/samples" })} name={WORDS.title}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-3xl space-y-6 px-4 py-6 sm:px-8">
          <Fetched query={found} what={WORDS.loading}>
            {(known) => (
              <>
                <Led known={known} />
                <Rates rates={known.rates} />
              </>
            )}
          </Fetched>
        </div>
      </div>
    </Beside>
  );
}

function Led({ known: { proposals, raised } }: { known: Sampling }) {
  return (
    <Panel title={WORDS.ledTo} note={WORDS.days}>
      {proposals.length + raised.length === 0 ? <p className="text-ink-2">{WORDS.noFindings}</p> : null}
      <ul className="-my-2 divide-y divide-line">
        {proposals.map((one) => (
          <li key={one.action} className="space-y-2 py-3">
            <p className="font-medium break-words">{WORDS.stillUnasked(one.findings.length, line(one.action))}</p>
            <Reasons of={one.findings} />
            <p className="text-sm text-ink-2">{WORDS.rule_}</p>
            <Code text={plain(one.rule.trimEnd())} />
            <Proposed id={one.id} />
          </li>
        ))}
        {raised.map((one) => (
          <li key={one.action} className="space-y-2 py-3">
            <p className="flex flex-wrap items-baseline gap-x-3 font-medium break-words">
              {WORDS.askedNow(one.findings.length, line(one.action))} <RiskWord level={one.risk} />
            </p>
            <Reasons of={one.findings} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

// more are in the audit log
const SHOWN = 5;

function Reasons({ of }: { of: Sample[] }) {
  return (
    <ul className="space-y-1 text-sm">
      {of.slice(0, SHOWN).map((one) => (
        <li key={one.hold_id} className="break-words">
          <Link to="/holds/$holdId" params={{ holdId: one.hold_id }} className="underline">
            {one.short_id}
          </Link>{" "}
          {line(one.title)}
          {one.reason ? <span className="text-ink-2">: “{line(one.reason)}”</span> : null}
        </li>
      ))}
      {of.length > SHOWN ? <li className="text-ink-3">{WORDS.more(of.length - SHOWN)}</li> : null}
    </ul>
  );
}

function Proposed({ id }: { id: string }) {
  const me = useMe();
  const [open, setOpen] = useState(false);
  if (!readsAll(me)) return <p className="text-sm text-ink-2">{WORDS.administratorApplies}</p>;
  return (
    <>
      <Button size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? TEXTS.suggestions.hide : TEXTS.suggestions.show}
      </Button>
      {open ? <Detail id={id} /> : null}
    </>
  );
}

function Detail({ id }: { id: string }) {
  const found = useQuery(proposedRuleQuery(id));
  const navigate = useNavigate();
  const me = useMe();
  if (found.isError) return <Notice tone="error" title={problemFrom(found.error).message} />;
  if (found.isPending) return <Waiting what={TEXTS.suggestions.replay} />;
  const { replay, files } = found.data;
  return (
    <div className="space-y-3 border-l-2 border-line pl-4">
      <Replayed replay={replay} />
      {administers(me) ? (
        <Button
          onClick={() => {
            keepDraft("policy:files", files);
            void navigate({ to: "/policy", search: { edit: true } });
          }}
        >
          {TEXTS.suggestions.edit}
        </Button>
      ) : (
        <p className="text-ink-2">{TEXTS.suggestions.editHint}</p>
      )}
    </div>
  );
}

// of an entry under which nothing was drawn yet
const NONE: { action: string | null; drawn: number; looked: number; findings: number } = { action: null, drawn: 0, looked: 0, findings: 0 };

function Rates({ rates }: { rates: Sampling["rates"] }) {
  const rows = rates.flatMap(({ entry, share, actions }) => (actions.length === 0 ? [NONE] : actions).map((one) => ({ entry, share, ...one })));
  return (
    <Panel title={WORDS.rates} note={WORDS.days}>
      {rows.length === 0 ? (
        <div className="space-y-2">
          <p className="text-ink-2">{WORDS.noRates}</p>
          <Code text={WORDS.example} />
        </div>
      ) : (
        <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={WORDS.rates}>
          <table className="w-full text-left text-sm">
            <thead className="text-xs text-ink-3">
              <tr>
                {WORDS.heads.map((name, at) => (
                  <th key={name} scope="col" className={`py-1.5 pr-3 font-medium ${at > 0 ? "text-right" : ""}`}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line tabular-nums">
              {rows.map((row) => (
                <tr key={`${row.entry} ${row.action}`}>
                  <td className="min-w-36 py-1.5 pr-3">
                    <span className="font-mono text-xs break-all">{row.action === null ? WORDS.nothingDrawn : line(row.action)}</span>
                    <span className="block text-xs text-ink-3">{WORDS.entry(row.entry)}</span>
                  </td>
                  <td className="py-1.5 pr-3 text-right whitespace-nowrap">{WORDS.share(row.share)}</td>
                  <td className="py-1.5 pr-3 text-right">{row.drawn}</td>
                  <td className="py-1.5 pr-3 text-right">{row.looked}</td>
                  <td className={`py-1.5 pr-3 text-right ${row.findings > 0 ? "font-medium text-critical" : ""}`}>{row.findings}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
