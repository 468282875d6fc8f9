/** The oversight report of a period, to read, to print and to take away. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Download, Printer } from "lucide-react";
import type { ReactNode } from "react";
import { Fetched } from "@/components/desk";
import { Page, Panel } from "@/components/page";
import { Button, buttonLook } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { Field, Input } from "@/components/ui/field";
import { periodOf, reportQuery, type Report } from "@/features/hindsight/api";
import { readReportSearch, type ReportSearch } from "@/features/hindsight/search";
import { TEXTS } from "@/features/hindsight/texts";
import { briefSpan, exact, line, listed } from "@/lib/format";
import { LEVELS } from "@/lib/holds";

const WORDS = TEXTS.report;

export function ReportPage() {
  const search: ReportSearch = useSearch({ from: "/shell/report" });
  const navigate = useNavigate();
  const found = useQuery(reportQuery(search));
  const day = (name: "from" | "to", value: string) => void navigate({ to: "/report", search: (now: Record<string, unknown>) => readReportSearch({ ...now, [name]: value }), replace: true });
  return (
    <Page
      title={WORDS.title}
      intro={WORDS.intro}
      actions={
        <div className="flex flex-wrap gap-2 print:hidden">
          <Button onClick={() => window.print()} disabled={!found.data}>
            <Printer aria-hidden className="size-4" /> {WORDS.print}
          </Button>
          <a href={`/api/report.html?${new URLSearchParams(periodOf(search)).toString()}`} download className={buttonLook()}>
            <Download aria-hidden className="size-4" /> {WORDS.html}
          </a>
        </div>
      }
    >
      <div className="flex flex-wrap gap-4 print:hidden">
        <Field label={WORDS.from}>{(props) => <Input {...props} type="date" value={search.from ?? ""} onChange={(event) => day("from", event.target.value)} />}</Field>
        <Field label={WORDS.to}>{(props) => <Input {...props} type="date" value={search.to ?? ""} onChange={(event) => day("to", event.target.value)} />}</Field>
      </div>
      <Fetched query={found} what={WORDS.loading}>
        {(report) => <Parts report={report} />}
      </Fetched>
    </Page>
  );
}

function Parts({ report }: { report: Report }) {
  const { outcomes, times, happened, log } = report;
  return (
    <>
      <Panel title={WORDS.key} note={WORDS.made(line(report.made_by.name), report.version)}>
        <p className="text-ink-2">
          {WORDS.period(exact(report.since), exact(report.until))}
          {report.capped ? ` ${WORDS.capped}` : ""}
        </p>
        <dl className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-5">
          <Figure name={WORDS.total} value={outcomes.total} />
          <Figure name={WORDS.held} value={outcomes.total - outcomes.unasked} />
          <Figure name={WORDS.rejected} value={outcomes.rejected} />
          <Figure name={WORDS.expired} value={outcomes.expired} />
          <Figure name={WORDS.median} value={lasting(times.p50)} />
        </dl>
      </Panel>
      <Panel title={WORDS.ran}>
        <div className="space-y-5">
          <p>{WORDS.happened(happened.escalated, happened.withdrawn, happened.reopened)}</p>
          <Outcomes name={WORDS.risk} rows={LEVELS.flatMap((level) => report.risks.filter((one) => one.name === level)).map((one) => [one.name, one])} />
          <Outcomes name={WORDS.agent} rows={report.agents.map((one) => [one.agent.name, one])} />
          <Outcomes name={WORDS.action} rows={report.actions.map((one) => [one.name, one])} />
        </div>
      </Panel>
      <Panel title={WORDS.who}>
        <p className="mb-3">{WORDS.late(times.count, times.late)}</p>
        <Table
          name={WORDS.who}
          heads={WORDS.people}
          rows={report.people.map((one) => ({ id: one.person.id, cells: [line(one.person.name), one.reviews, one.approved, one.rejected, one.answered, one.amended, one.withdrawn, lasting(one.p50)] }))}
        />
      </Panel>
      <Entries title={WORDS.exceptions} note={WORDS.exceptionsNote} found={report.exceptions} />
      <Panel title={WORDS.grants}>
        <Table
          name={WORDS.grants}
          heads={WORDS.grantHeads}
          rows={report.grants.map((one) => ({
            id: one.id,
            cells: [<HoldLink key="hold" id={one.id} short={one.short_id} />, line(one.sentence), listed(one.makers.map((maker) => line(maker.name)), "and"), one.used, one.status.replace("_", " ")],
          }))}
        />
      </Panel>
      <Panel title={WORDS.policies}>
        <Table
          name={WORDS.policies}
          heads={WORDS.policyHeads}
          rows={report.policies.map((one) => ({ id: String(one.version), cells: [one.version, exact(one.applied_at), one.applied_by ? line(one.applied_by.name) : WORDS.first, line(one.reason ?? "")] }))}
        />
      </Panel>
      <Entries title={WORDS.steering} found={report.steering} />
      <Panel title={WORDS.log}>
        <div className="space-y-2 break-words">
          <p>{WORDS.stretch(log.first, log.last, log.entries)}</p>
          <p>{WORDS.head(log.head.seq, log.head.waiting)}</p>
          <p className="text-sm text-ink-2">
            {WORDS.hash} <code className="font-mono text-xs break-all">{log.head.hash}</code>
          </p>
          <p className="text-sm text-ink-2">
            {WORDS.key_id} <code className="font-mono text-xs break-all">{log.head.key_id}</code>
          </p>
          <p>{WORDS.verify}</p>
          <Code text="handrail audit verify --key key.pub --head heads.jsonl" />
          <Link to="/audit" className="underline print:hidden">
            {WORDS.audit}
          </Link>
        </div>
      </Panel>
    </>
  );
}

function Figure({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className="text-xl font-semibold tabular-nums">{value}</dd>
    </div>
  );
}

function Outcomes({ name, rows }: { name: string; rows: [string, Report["outcomes"]][] }) {
  return (
    <Table
      name={name}
      heads={[name, ...WORDS.outcomes]}
      rows={rows.map(([of, one]) => ({ id: of, cells: [line(of), one.total, one.unasked, one.approved, one.rejected, one.answered, one.expired, one.cancelled, one.pending, lasting(one.p50)] }))}
    />
  );
}

function Entries({ title, note, found }: { title: string; note?: string; found: Report["exceptions"] }) {
  return (
    <Panel title={title} note={note}>
      {found.total > found.entries.length ? <p className="mb-2 text-ink-2">{WORDS.newest(found.total, found.entries.length)}</p> : null}
      <Table
        name={title}
        heads={WORDS.entries}
        rows={found.entries.map((one) => ({
          id: String(one.seq),
          cells: [
            one.seq,
            exact(one.at),
            one.by ? line(one.by.name) : WORDS.nobody,
            line(one.what),
            one.hold_id && one.short_id ? (
              <span key="hold">
                <HoldLink id={one.hold_id} short={one.short_id} /> {line(one.title ?? "")}
              </span>
            ) : (
              ""
            ),
          ],
        }))}
      />
    </Panel>
  );
}

function HoldLink({ id, short }: { id: string; short: string }) {
  return (
    <Link to="/holds/$holdId" params={{ holdId: id }} className="whitespace-nowrap underline">
      {short}
    </Link>
  );
}

function Table({ name, heads, rows }: { name: string; heads: string[]; rows: { id: string; cells: ReactNode[] }[] }) {
  if (rows.length === 0) return <p className="text-ink-2">{WORDS.none}</p>;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={name}>
      <table className="w-full text-left text-sm">
        <thead className="text-xs text-ink-3">
          <tr>
            {heads.map((head) => (
              <th key={head} className="py-1 pr-3 font-medium whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row.id} className="align-top">
              {row.cells.map((cell, at) => (
                <td key={heads[at]} className="py-1 pr-3 tabular-nums">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function lasting(seconds: number | null): string {
  return seconds === null ? "–" : briefSpan(seconds * 1000);
}
