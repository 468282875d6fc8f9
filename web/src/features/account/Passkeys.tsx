/** One's own passkeys: to sign in with, and to sign decisions with. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type SyntheticEvent } from "react";
import { Panel } from "@/components/page";
import { Sure } from "@/components/tokens";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { passkeysQuery, removePasskey, type Passkey } from "@/features/account/api";
import { TEXTS } from "@/features/account/texts";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";
import { useMe } from "@/lib/me";
import { makePasskey } from "@/lib/passkeys";

const WORDS = TEXTS.passkeys;

export function Passkeys() {
  const me = useMe();
  const queries = useQueryClient();
  const found = useQuery(passkeysQuery);
  const [label, setLabel] = useState("");
  // what a first passkey makes one's own shows everywhere
  const settle = { onSuccess: () => queries.invalidateQueries() };
  const adding = useMutation({ mutationFn: () => makePasskey(label.trim(), me), ...settle });
  const removing = useMutation({ mutationFn: removePasskey, ...settle });
  const problem = adding.error ?? removing.error ?? found.error;

  function add(event: SyntheticEvent) {
    event.preventDefault();
    adding.mutate(undefined, { onSuccess: () => setLabel("") });
  }

  return (
    <Panel title={WORDS.passkeys} note={WORDS.yourOwnAuthenticators}>
      {problem ? <Notice tone="error" title={problemFrom(problem).message} className="mb-3" /> : null}
      {found.data?.length ? (
        <ul aria-label={WORDS.passkeys} className="-mt-2 mb-3 divide-y divide-line">
          {found.data.map((one) => (
            <PasskeyRow key={one.id} one={one} disabled={removing.isPending} onRemove={() => removing.mutate(one.id)} />
          ))}
        </ul>
      ) : null}
      <form onSubmit={add} className="flex flex-wrap items-end gap-2">
        <Field label={WORDS.nameOfAuthenticator}>
          {(props) => <Input {...props} value={label} onChange={(e) => setLabel(e.target.value)} placeholder={WORDS.laptop} maxLength={100} required />}
        </Field>
        <Button type="submit" disabled={adding.isPending}>
          {adding.isPending ? WORDS.waitingForYourAuthenticator : WORDS.addPasskey}
        </Button>
      </form>
      <p className="pt-3 text-xs text-ink-3">{WORDS.yourFirstPasskeySignsDecisions}</p>
    </Panel>
  );
}

function PasskeyRow({ one, disabled, onRemove }: { one: Passkey; disabled: boolean; onRemove: () => void }) {
  const waits = one.signs_from !== one.created_at;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <span className="min-w-0 flex-1 basis-48">
        <span className="block truncate font-medium">{line(one.label)}</span>
        <span className="block text-xs text-ink-3">
          {WORDS.added} <Ago at={one.created_at} />
          {waits ? WORDS.signsDecisions24HoursAfter : null}
        </span>
      </span>
      <Sure label={WORDS.remove} about={line(one.label)} disabled={disabled} onSure={onRemove} />
    </li>
  );
}
