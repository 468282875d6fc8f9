import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Panel } from "@/components/page";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { peopleQuery, tokensQuery, useMakeToken, useRevokeToken, type Token } from "@/features/people/api";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";

export function Tokens() {
  const tokens = useQuery(tokensQuery).data ?? [];
  const [making, setMaking] = useState(false);
  const live = tokens.filter((token) => token.revoked_at === null);
  return (
    <Panel
      title="Tokens"
      note="what programs sign in with"
      actions={
        <Button size="sm" onClick={() => setMaking(true)}>
          Make a token…
        </Button>
      }
    >
      {live.length === 0 ? (
        <p className="text-ink-3">There are none.</p>
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {live.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
      {making ? <MakeToken onClose={() => setMaking(false)} /> : null}
    </Panel>
  );
}

function TokenRow({ token }: { token: Token }) {
  const revoking = useRevokeToken();
  const [sure, setSure] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <span className="w-48 truncate font-medium">{line(token.principal.name)}</span>
      <span className="min-w-0 flex-1 truncate text-ink-2">{token.label ? line(token.label) : token.scopes.join(", ")}</span>
      <span className="text-xs text-ink-3">
        {token.last_used_at ? (
          <>
            used <Ago at={token.last_used_at} />
          </>
        ) : (
          "never used"
        )}
      </span>
      <Button
        size="sm"
        tone={sure ? "critical" : "danger"}
        disabled={revoking.isPending}
        onClick={() => (sure ? revoking.mutate(token.id) : setSure(true))}
        onBlur={() => setSure(false)}
      >
        {sure ? "Really revoke" : "Revoke"}
      </Button>
    </li>
  );
}

const DAY = 86_400;

function MakeToken({ onClose }: { onClose: () => void }) {
  const people = useQuery(peopleQuery).data?.filter((one) => one.active) ?? [];
  const [principal, setPrincipal] = useState("");
  const [label, setLabel] = useState("");
  const [days, setDays] = useState("");
  const making = useMakeToken();
  if (making.data) {
    return (
      <Dialog key="made" title="The token" onClose={onClose}>
        <div className="space-y-4">
          <Notice tone="warning" title="It is shown this once.">
            Put it where the program reads it, as HANDRAIL_TOKEN. Handrail keeps only its hash.
          </Notice>
          <Code text={making.data.token} label="Copy the token" />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Make a token" onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate({ principal, label: label.trim() || null, expires_in: days === "" ? null : Number(days) * DAY });
        }}
      >
        <Field label="For whom">
          {(props) => (
            <Select {...props} required value={principal} onChange={(event) => setPrincipal(event.target.value)}>
              <option value="">Choose…</option>
              {people.map((one) => (
                <option key={one.id} value={one.id}>
                  {line(one.name)} ({one.kind})
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Label (optional)" hint="Where it will be used.">
          {(props) => <Input {...props} value={label} onChange={(event) => setLabel(event.target.value)} />}
        </Field>
        <Field label="Expires after days (optional)">
          {(props) => <Input {...props} type="number" min="1" max="3650" value={days} onChange={(event) => setDays(event.target.value)} />}
        </Field>
        {making.isError ? <Notice tone="error" title={problemFrom(making.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="accent" disabled={principal === "" || making.isPending}>
            Make it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
