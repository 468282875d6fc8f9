/** What is known about a hold beside what the agent sent with it: the decision pack, each part with its source. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Tree } from "@/components/json";
import { Section } from "@/components/section";
import { Ago } from "@/components/ui/time";
import { TEXTS } from "@/features/hold/texts";
import { packQuery } from "@/lib/packs";
import { line, value } from "@/lib/format";
import type { Schemas } from "@/lib/api";
import type { Hold } from "@/lib/holds";

const WORDS = TEXTS.known;

type Part = Schemas["PackPart"];

const SOURCES: Record<Part["source"], string> = {
  action: WORDS.fromTheAction,
  policy: WORDS.fromThePolicy,
  history: WORDS.fromThePastThatYou,
  handrail: WORDS.foundByHandrail,
  opener: "",
  plugin: "",
};
const MISSING: Partial<Record<Part["state"], string>> = { late: WORDS.notAvailableInTimeReload, failed: WORDS.thisCouldNotBeRead };

export default function Known({ hold }: { hold: Hold }) {
  const pack = useQuery(packQuery(hold)).data;
  return pack?.parts.map((part, n) => <Shown key={n} part={part} />) ?? null;
}

function Shown({ part }: { part: Part }) {
  const view = VIEWS[part.name];
  if (!view) return null;
  const [title, show] = view;
  const missing = MISSING[part.state];
  const content = part.content as never;
  // a part that says nothing is no news, but for precedents: that there are none is
  if (part.state === "nothing" && part.name !== "precedents") return null;
  const note = part.source === "plugin" ? WORDS.saidBy(line(part.by ?? "")) : SOURCES[part.source];
  return (
    <Section title={title} {...(note ? { note } : {})} claim={part.source === "opener" || part.source === "plugin"}>
      {missing ? <p className="text-ink-2">{missing}</p> : part.state === "nothing" ? <p className="text-ink-3">{WORDS.none}</p> : show(content)}
    </Section>
  );
}

type Counts = Record<string, number>;
interface Precedent {
  hold_id: string;
  short_id: string;
  title: string;
  opened_at: string;
  outcome: string;
  by: string | null;
  said: string | null;
}
interface Change {
  path: string;
  from: unknown;
  to: unknown;
}

const counted = (counts: Counts) =>
  Object.entries(counts)
    .map(([outcome, n]) => `${n} ${outcome}`)
    .join(", ") || WORDS.nothingBefore;

const tree = (content: unknown) => (typeof content === "string" ? <p className="break-words">{line(content)}</p> : <Tree of={content} prose />);

/** What stands elsewhere on the page (effect, reasons, evidence) is not shown twice. */
const VIEWS: Partial<Record<Part["name"], [string, (content: never) => ReactNode]>> = {
  touches: [WORDS.whatItTouches, tree],
  tests: ["Tests", tree],
  rollback: [WORDS.wayBack, tree],
  more: [WORDS.alsoKnown, tree],
  changed: [
    WORDS.sinceTheLastOneLike,
    ({ since, changes }: { since: Precedent; changes: Change[] }) => (
      <>
        <p className="text-ink-3">
          {WORDS.comparedWith} <Way to={since} />{WORDS.approved}{since.by ? WORDS.by(line(since.by)) : ""}{WORDS.requested} <Ago at={since.opened_at} />
        </p>
        {changes.length === 0 ? (
          <p>{WORDS.sameInEveryArgument}</p>
        ) : (
          <ul>
            {changes.map((one) => (
              <li key={one.path} className="break-words">
                <code>{line(one.path)}</code>: {value(one.from)} → {value(one.to)}
              </li>
            ))}
          </ul>
        )}
      </>
    ),
  ],
  requester: [
    WORDS.howThisRequesterFared,
    (of: { name: string; this_action: Counts; results: Counts; anything: Counts; days: number }) => (
      <p className="break-words">
        {WORDS.forThisAction(line(of.name), counted(of.this_action))}{Object.keys(of.results).length > 0 ? WORDS.whenItRan(counted(of.results)) : ""}{WORDS.inDays(counted(of.anything), of.days)}
      </p>
    ),
  ],
  precedents: [
    "Precedents",
    (of: { outcomes: Counts; nearest: Precedent[] }) => (
      <>
        <p className="text-ink-3">{WORDS.theNearestFirst(counted(of.outcomes))}</p>
        <ul className="divide-y divide-line">
          {of.nearest.map((one) => (
            <li key={one.hold_id} className="py-1.5 break-words">
              <Way to={one} /> {line(one.title)}
              <p className="text-xs text-ink-3">
                {one.outcome}
                {one.by ? WORDS.by(line(one.by)) : ""}{WORDS.requested} <Ago at={one.opened_at} />
                {one.said ? `: “${line(one.said)}”` : ""}
              </p>
            </li>
          ))}
        </ul>
      </>
    ),
  ],
  smaller: [
    WORDS.ifItDidLess,
    (of: (Change & { level: string; approvals: number })[]) => (
      <ul>
        {of.map((one, n) => (
          <li key={n} className="break-words">
            <code>{line(one.path)}</code>{WORDS.wouldBe(value(one.from), value(one.to), one.level)} {one.approvals === 0 ? WORDS.withoutAskingAnybody : WORDS.withApprovals(one.approvals)}
          </li>
        ))}
      </ul>
    ),
  ],
};

function Way({ to }: { to: { hold_id: string; short_id: string } }) {
  return (
    <Link to="/holds/$holdId" params={{ holdId: to.hold_id }} className="font-medium hover:underline">
      {to.short_id}
    </Link>
  );
}
