/** What happened on the hold, in order, with the comments; and a question of one's own. */
import { useQuery } from "@tanstack/react-query";
import type { RefObject } from "react";
import { Changes } from "@/components/changes";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { commentsQuery, deliveriesQuery, useComment } from "@/features/hold/api";
import { moments } from "@/features/hold/moments";
import { Section } from "@/components/section";
import { TEXTS } from "@/features/hold/texts";
import { eventsQuery } from "@/lib/amendments";
import { problemFrom } from "@/lib/api";
import { useDraft } from "@/lib/drafts";
import { line } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { useMe } from "@/lib/me";

const WORDS = TEXTS.exchange;

export default function Exchange({ hold, commentRef }: { hold: Hold; commentRef: RefObject<HTMLTextAreaElement | null> }) {
  const comments = useQuery(commentsQuery(hold.id)).data ?? [];
  const events = useQuery(eventsQuery(hold.id)).data ?? [];
  const deliveries = useQuery(deliveriesQuery(hold.id)).data ?? [];
  const me = useMe();
  const may = hold.may_decide.allowed || hold.opened_by.id === me.id || hold.started_by?.id === me.id;
  return (
    <Section title={WORDS.timeline}>
      <ol className="space-y-2.5 border-l border-line pl-4">
        {moments(hold, events, comments, deliveries).map((moment) => (
          <li key={moment.key} className="relative">
            <span aria-hidden className="absolute top-1.75 -left-4.75 size-1.5 rounded-full bg-line-strong" />
            <p>
              {moment.overtaken ? <s className="text-ink-3">{moment.what}</s> : moment.what}{" "}
              {moment.overtaken ? <span className="text-ink-2">{WORDS.noLongerCounts(moment.overtaken)} </span> : null}
              <span className="text-xs text-ink-3">
                <Ago at={moment.at} />
              </span>
            </p>
            {moment.changes && moment.changes.length > 0 ? <Changes of={moment.changes} /> : null}
            {moment.text ? <p className="mt-0.5 rounded-lg bg-sunken px-3 py-2 break-words whitespace-pre-wrap">{moment.text}</p> : null}
          </li>
        ))}
      </ol>
      {may ? <CommentForm hold={hold} inputRef={commentRef} /> : null}
    </Section>
  );
}

function CommentForm({ hold, inputRef }: { hold: Hold; inputRef: RefObject<HTMLTextAreaElement | null> }) {
  const [text, setText, drop] = useDraft(`comment:${hold.id}`, "");
  const commenting = useComment(hold.id);
  function send() {
    if (text.trim() !== "" && !commenting.isPending) commenting.mutate(text.trim(), { onSuccess: drop });
  }
  return (
    <form
      className="space-y-2 pt-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor="comment" className="sr-only">
        {WORDS.commentOrQuestion}
      </label>
      <TextArea
        id="comment"
        ref={inputRef}
        rows={2}
        placeholder={WORDS.ask(line(hold.opened_by.name))}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (!event.repeat) send();
        }}
      />
      {commenting.isError ? <Notice tone="error" title={problemFrom(commenting.error).message} /> : null}
      {text.trim() === "" ? null : (
        <Button type="submit" size="sm" disabled={commenting.isPending}>
          {commenting.isPending ? WORDS.sending : WORDS.comment} <Kbd>↵</Kbd>
        </Button>
      )}
    </form>
  );
}
