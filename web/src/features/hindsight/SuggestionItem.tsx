/** One change that the past suggests: what it says, its replay, and the way to where a person applies it. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Replayed } from "@/components/replayed";
import { Button, buttonLook } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { suggestionQuery, type Suggestion } from "@/features/hindsight/api";
import { TEXTS } from "@/features/hindsight/texts";
import { problemFrom, type Schemas } from "@/lib/api";
import { keepDraft } from "@/lib/drafts";
import { line, plain } from "@/lib/format";
import { administers, readsAll, useMe } from "@/lib/me";

const WORDS = TEXTS.suggestions;
const STOPPED = ["rejected", "cancelled", "expired"];
const SHOWN = 6;

export function SuggestionItem({ one }: { one: Suggestion }) {
  const [open, setOpen] = useState(false);
  const me = useMe();
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <span className="rounded bg-sunken px-1.5 py-0.5 text-xs font-medium">{one.kind === "rule" ? WORDS.rule : WORDS.grant}</span>
        <p className="min-w-0 flex-1 basis-64 break-words">{line(one.words)}</p>
        {readsAll(me) ? (
          <Button size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? WORDS.hide : WORDS.show}
          </Button>
        ) : (
          <Link to="/holds/$holdId" params={{ holdId: one.like.id }} className={buttonLook({ size: "sm" })}>
            {WORDS.allow}
          </Link>
        )}
      </div>
      <p className="text-sm text-ink-2">
        {one.tightens ? WORDS.tightens(one.asked, one.stopped) : WORDS.figures(one.asked, one.covered, one.minutes)}
        {one.slips > 0 ? <strong className="text-critical"> {WORDS.slips(one.slips)}</strong> : null}
      </p>
      {open ? <Detail id={one.id} /> : null}
    </div>
  );
}

function Detail({ id }: { id: string }) {
  const found = useQuery(suggestionQuery(id));
  const me = useMe();
  const navigate = useNavigate();
  if (found.isError) return <Notice tone="error" title={problemFrom(found.error).message} />;
  if (found.isPending) return <Waiting what={WORDS.replay} />;
  const { replay, files, changes, calls, like } = found.data;
  return (
    <div className="space-y-3 border-l-2 border-line pl-4">
      {replay ? <Replayed replay={replay} /> : <Calls calls={calls} />}
      {changes ? (
        <section aria-label={WORDS.changes}>
          <h3 className="text-xs text-ink-3">{WORDS.changes}</h3>
          <ul className="list-disc pl-5 text-sm break-words">
            {changes.map((change) => (
              <li key={change}>{plain(change)}</li>
            ))}
          </ul>
        </section>
      ) : null}
      {files ? (
        administers(me) ? (
          <Button
            onClick={() => {
              keepDraft("policy:files", files);
              void navigate({ to: "/policy", search: { edit: true } });
            }}
          >
            {WORDS.edit}
          </Button>
        ) : (
          <p className="text-ink-2">{WORDS.editHint}</p>
        )
      ) : (
        <p className="flex flex-wrap items-center gap-3">
          <Link to="/holds/$holdId" params={{ holdId: like.id }} className={buttonLook()}>
            {WORDS.allow}
          </Link>
          <span className="text-sm text-ink-2">{WORDS.allowHint}</span>
        </p>
      )}
    </div>
  );
}

function Calls({ calls }: { calls: Schemas["CoveredCall"][] }) {
  const stopped = calls.filter((one) => STOPPED.includes(one.outcome));
  const others = calls.filter((one) => !STOPPED.includes(one.outcome));
  return (
    <>
      {stopped.length > 0 ? (
        <div className="rounded-lg bg-critical-soft px-4 py-3">
          <p className="font-medium text-critical">{WORDS.stopped}</p>
          <List calls={stopped} />
        </div>
      ) : null}
      <div>
        <h3 className="text-xs text-ink-3">{WORDS.covered}</h3>
        <List calls={others} />
      </div>
    </>
  );
}

function List({ calls }: { calls: Schemas["CoveredCall"][] }) {
  return (
    <ul className="text-sm">
      {calls.slice(0, SHOWN).map((one) => (
        <li key={one.hold} className="break-words">
          <Link to="/holds/$holdId" params={{ holdId: one.hold }} className="underline">
            {one.short_id}
          </Link>{" "}
          {line(one.title)} <span className="text-ink-3">{one.outcome}</span>
        </li>
      ))}
      {calls.length > SHOWN ? <li className="text-ink-3">{WORDS.more(calls.length - SHOWN)}</li> : null}
    </ul>
  );
}
