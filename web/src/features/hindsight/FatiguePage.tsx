/** Signs that people are asked too often: one's own first, then everybody's; each with what would ask less. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fetched } from "@/components/desk";
import { Page, Panel } from "@/components/page";
import { buttonLook } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { fatigueQuery, suggestionsQuery, type Finding } from "@/features/hindsight/api";
import { SuggestionItem } from "@/features/hindsight/SuggestionItem";
import { TEXTS } from "@/features/hindsight/texts";
import { line } from "@/lib/format";
import { readsAll, useMe } from "@/lib/me";

const WORDS = TEXTS.fatigue;

export function FatiguePage() {
  const me = useMe();
  const found = useQuery(fatigueQuery);
  return (
    <Page
      title={WORDS.title}
      intro={WORDS.intro}
      actions={
        <Link to="/insights" className={buttonLook()}>
          {WORDS.all}
        </Link>
      }
    >
      <Fetched query={found} what={WORDS.loading}>
        {({ findings, reviews, capped }) => {
          const own = findings.filter((one) => one.person?.id === me.id);
          const others = findings.filter((one) => one.person?.id !== me.id);
          return (
            <>
              {capped ? <Notice tone="warning" title={WORDS.capped} /> : null}
              {findings.length === 0 ? <Notice {...(reviews > 0 && { tone: "good" })} title={WORDS.none(reviews)} /> : null}
              {own.length > 0 ? <Findings title={WORDS.yours} note={WORDS.yoursNote} findings={own} /> : null}
              {others.length > 0 ? <Findings title={WORDS.everybody} findings={others} /> : null}
            </>
          );
        }}
      </Fetched>
      {readsAll(me) ? <Suggestions /> : null}
    </Page>
  );
}

function Findings({ title, note, findings }: { title: string; note?: string; findings: Finding[] }) {
  return (
    <Panel title={title} note={note}>
      <ul className="-my-2 divide-y divide-line">
        {findings.map((one) => (
          <li key={`${one.sign} ${one.person?.id ?? one.rule}`} className="space-y-2 py-3">
            <p className="font-medium break-words">{line(one.words)}</p>
            <p className="text-sm text-ink-2">
              {WORDS.such}{" "}
              {one.examples.map((hold, at) => (
                <span key={hold.id}>
                  {at > 0 ? ", " : ""}
                  <Link to="/holds/$holdId" params={{ holdId: hold.id }} className="underline" title={line(hold.title)}>
                    {hold.short_id}
                  </Link>
                </span>
              ))}
            </p>
            {one.fixes.length > 0 ? (
              <details className="rounded-lg border border-line px-4 py-2">
                <summary className="cursor-pointer text-sm font-medium">{WORDS.would}</summary>
                <ul className="mt-2 space-y-4">
                  {one.fixes.map((fix) => (
                    <li key={fix.id}>
                      <SuggestionItem one={fix} />
                    </li>
                  ))}
                </ul>
              </details>
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Suggestions() {
  const found = useQuery(suggestionsQuery);
  return (
    <Panel title={TEXTS.suggestions.title} note={TEXTS.suggestions.note}>
      <Fetched query={found} what={TEXTS.suggestions.loading}>
        {(suggestions) =>
          suggestions.length === 0 ? (
            <p className="text-ink-2">{TEXTS.suggestions.none}</p>
          ) : (
            <ul className="-my-2 divide-y divide-line">
              {suggestions.map((one) => (
                <li key={one.id} className="py-3">
                  <SuggestionItem one={one} />
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
    </Panel>
  );
}
