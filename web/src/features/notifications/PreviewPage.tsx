/** What a hold looks like on each channel, drawn from the message that would be sent. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState, type SyntheticEvent } from "react";
import { Page, Panel } from "@/components/page";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { PREVIEWED, previewQuery, type Previewed } from "@/features/notifications/api";
import { LinearIssue } from "@/features/notifications/LinearIssue";
import { Mail } from "@/features/notifications/Mail";
import { PushNote } from "@/features/notifications/PushNote";
import { SlackMessage } from "@/features/notifications/SlackMessage";
import { TEXTS } from "@/features/notifications/texts";
import { problemFrom } from "@/lib/api";
import { named } from "@/lib/channels";

const WORDS = TEXTS.previewPage;

export function PreviewPage() {
  const search = useSearch({ from: "/shell/notifications/preview" });
  const navigate = useNavigate();
  const [hold, setHold] = useState(search.hold ?? "");

  function show(event: SyntheticEvent) {
    event.preventDefault();
    void navigate({ to: "/notifications/preview", search: { ...search, hold: hold.trim() } });
  }

  const shown = search.channel ? [search.channel] : PREVIEWED;
  return (
    <Page title={WORDS.previewMessages} intro={WORDS.howHoldLooksOnEach}>
      <form onSubmit={show} className="flex items-end gap-3">
        <Field label={WORDS.hold}>{(props) => <Input {...props} value={hold} onChange={(e) => setHold(e.target.value)} placeholder="H-1042" required maxLength={60} />}</Field>
        <Button type="submit">{WORDS.show}</Button>
      </form>
      {search.hold ? shown.map((channel) => <Preview key={channel} hold={search.hold ?? ""} channel={channel} />) : null}
    </Page>
  );
}

function Preview({ hold, channel }: { hold: string; channel: Previewed }) {
  const found = useQuery(previewQuery(hold, channel));
  return (
    <Panel title={named(channel)}>
      {found.isError ? <Notice tone="error" title={problemFrom(found.error).message} /> : null}
      {found.isPending ? <Waiting what={WORDS.theMessage} /> : null}
      {found.data ? (
        <div className="space-y-3">
          {/* pictures of the documentation are taken of this */}
          <div data-preview={channel}>
            <Picture channel={channel} message={found.data} />
          </div>
          <details>
            <summary className="cursor-pointer text-xs text-ink-3">{WORDS.asItIsSent}</summary>
            <pre className="mt-2 max-h-80 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap">{JSON.stringify(found.data, null, 2)}</pre>
          </details>
        </div>
      ) : null}
    </Panel>
  );
}

function Picture({ channel, message }: { channel: Previewed; message: Record<string, unknown> }) {
  switch (channel) {
    case "slack":
      return <SlackMessage message={message} />;
    case "linear":
      return <LinearIssue message={message} />;
    case "email":
      return <Mail message={message} />;
    case "push":
      return <PushNote message={message} />;
    case "webhook":
      return <p className="text-ink-2">{WORDS.programGetsIt}</p>;
  }
}
