/** Accounts elsewhere that act as oneself: link one, remove one. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type SyntheticEvent } from "react";
import { Panel } from "@/components/page";
import { Sure } from "@/components/tokens";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { TEXTS } from "@/features/account/texts";
import { problemFrom } from "@/lib/api";
import { channelsQuery, linkProgram, linksQuery, makeLink, named, unlink } from "@/lib/channels";
import { line } from "@/lib/format";

const WORDS = TEXTS.links;

export function Links() {
  const queries = useQueryClient();
  const found = useQuery(linksQuery);
  const channels = useQuery(channelsQuery);
  const removing = useMutation({
    mutationFn: unlink,
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: linksQuery.queryKey }), queries.invalidateQueries({ queryKey: channelsQuery.queryKey })]),
  });
  const problem = removing.error ?? found.error;
  const linked = new Set(found.data?.map((one) => one.channel));
  const usable = channels.data?.filter((one) => one.set_up).map((one) => one.name) ?? [];
  return (
    <Panel title={WORDS.linkedAccounts} note={WORDS.whoOrWhatActsAs}>
      {problem ? <Notice tone="error" title={problemFrom(problem).message} className="mb-3" /> : null}
      {found.data?.length ? (
        <ul aria-label={WORDS.linkedAccounts} className="-mt-2 mb-3 divide-y divide-line">
          {found.data.map((one) => (
            <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
              <span className="min-w-0 flex-1 basis-48">
                <span className="block font-medium">{one.channel === "webhook" ? WORDS.programOfYours : named(one.channel)}</span>
                <span className="block truncate text-xs text-ink-3">
                  {one.channel === "webhook" ? null : `${line(one.account)} · `}{WORDS.linked} <Ago at={one.linked_at} />
                </span>
              </span>
              <Sure label={WORDS.unlink} about={named(one.channel)} disabled={removing.isPending} onSure={() => removing.mutate(one.id)} />
            </li>
          ))}
        </ul>
      ) : null}
      <div className="space-y-4">
        {usable.includes("slack") && !linked.has("slack") ? <ByCode channel="slack" /> : null}
        {usable.includes("linear") && !linked.has("linear") ? <ByCode channel="linear" /> : null}
        {found.data && !linked.has("webhook") ? <Program /> : null}
      </div>
      <p className="pt-3 text-xs text-ink-3">{WORDS.inSlackAndByProgram}</p>
    </Panel>
  );
}

function ByCode({ channel }: { channel: "slack" | "linear" }) {
  const [account, setAccount] = useState("");
  const queries = useQueryClient();
  const making = useMutation({
    mutationFn: () => makeLink(channel === "linear" ? { channel, account: account.trim() } : { channel }),
  });

  function make(event: SyntheticEvent) {
    event.preventDefault();
    making.mutate();
  }

  if (making.data)
    return (
      <div className="space-y-2">
        <p>{channel === "slack" ? WORDS.inSlack : WORDS.inLinear}</p>
        <Code text={`${channel === "slack" ? "/" : ""}handrail link ${making.data.code}`} label={WORDS.copyTheCommand} />
        <Button size="sm" onClick={() => void queries.invalidateQueries()}>
          {WORDS.done}
        </Button>
      </div>
    );
  return (
    <form onSubmit={make} className="space-y-3">
      {making.isError ? <Notice tone="error" title={problemFrom(making.error).message} /> : null}
      {channel === "linear" ? (
        <Field label={WORDS.yourAddressInLinear} hint={WORDS.codeWorksForThisAccount}>
          {(props) => <Input {...props} type="email" required value={account} onChange={(e) => setAccount(e.target.value)} maxLength={200} />}
        </Field>
      ) : null}
      <Button type="submit" disabled={making.isPending}>
        {WORDS.link(named(channel))}
      </Button>
    </form>
  );
}

function Program() {
  const queries = useQueryClient();
  const making = useMutation({ mutationFn: linkProgram });
  if (making.data)
    return (
      <div className="space-y-2">
        <p>{WORDS.yourProgramPostsSignedVerdicts}</p>
        <Code text={making.data.url} label={WORDS.copyTheAddress} />
        <Code text={making.data.secret} label={WORDS.copyTheSecret} />
        <Button size="sm" onClick={() => void queries.invalidateQueries({ queryKey: linksQuery.queryKey })}>
          {WORDS.done}
        </Button>
      </div>
    );
  return (
    <div className="space-y-3">
      {making.isError ? <Notice tone="error" title={problemFrom(making.error).message} /> : null}
      <Button disabled={making.isPending} onClick={() => making.mutate()}>
        {WORDS.linkAProgram}
      </Button>
    </div>
  );
}
