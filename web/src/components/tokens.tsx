/** Tokens: those that work, each to be revoked, and a dialog that makes one. */
import { useState, type ReactNode } from "react";
import { TEXTS } from "@/components/texts";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { problemFrom } from "@/lib/api";
import { useNow } from "@/lib/clock";
import { line, span } from "@/lib/format";
import { isLive, useMakeToken, useRevokeToken, type Token } from "@/lib/tokens";

const WORDS = TEXTS.tokens;

/** `name` says what a row is called. */
export function TokenList({ tokens, name }: { tokens: Token[]; name: (token: Token) => string }) {
  const now = useNow();
  const live = tokens.filter((token) => isLive(token, now));
  if (live.length === 0) return <p className="text-ink-3">{WORDS.noTokensYet}</p>;
  return (
    <ul aria-label={WORDS.tokens} className="-my-2 divide-y divide-line">
      {live.map((token) => (
        <TokenRow key={token.id} token={token} name={name(token)} />
      ))}
    </ul>
  );
}

function TokenRow({ token, name }: { token: Token; name: string }) {
  const now = useNow();
  const revoking = useRevokeToken();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <span className="min-w-0 flex-1 basis-48">
        <span className="block truncate font-medium">{line(name)}</span>
        <span className="block text-xs text-ink-3">
          {token.scopes.join(", ")}
          {token.own ? null : WORDS.lentBySomeoneElse}
          {token.expires_at ? WORDS.expiresIn(span(Date.parse(token.expires_at) - now)) : null}
        </span>
        {revoking.isError ? <span className="block text-critical">{problemFrom(revoking.error).message}</span> : null}
      </span>
      <span className="text-xs text-ink-3">
        {token.last_used_at ? (
          <>
            {WORDS.used} <Ago at={token.last_used_at} />
          </>
        ) : (
          WORDS.neverUsed
        )}
      </span>
      <Sure label={WORDS.revoke} about={name} disabled={revoking.isPending} onSure={() => revoking.mutate(token.id)} />
    </li>
  );
}

/** A button that asks once more, in its own place. */
export function Sure({ label, about, disabled, onSure }: { label: string; about: string; disabled: boolean; onSure: () => void }) {
  const [sure, setSure] = useState(false);
  const text = sure ? WORDS.confirm(label.toLowerCase()) : label;
  return (
    <Button
      size="sm"
      tone={sure ? "critical" : "danger"}
      aria-label={`${text}: ${line(about)}`}
      disabled={disabled}
      onClick={() => (sure ? onSure() : setSure(true))}
      onBlur={() => setSure(false)}
    >
      {text}
    </Button>
  );
}

const DAY = 86_400;

/** `principal` is whom it is for, "" while that is not chosen; children choose it. */
export function MakeToken({ principal, onClose, children }: { principal: string; onClose: () => void; children?: ReactNode }) {
  const [label, setLabel] = useState("");
  const [days, setDays] = useState("");
  const making = useMakeToken();
  if (making.data) {
    return (
      <Dialog key="made" title={WORDS.theToken} onClose={onClose}>
        <div className="space-y-4">
          <Notice tone="warning" title={WORDS.copyItNow}>
            {WORDS.giveItToProgramAs}
          </Notice>
          <Code text={making.data.token} label={WORDS.copyToken} />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={WORDS.createAToken} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate({ principal, label: label.trim() || null, expires_in: days === "" ? null : Number(days) * DAY });
        }}
      >
        {children}
        <Field label={WORDS.label} hint={WORDS.whereItWillBeUsed}>
          {(props) => <Input {...props} maxLength={200} value={label} onChange={(event) => setLabel(event.target.value)} />}
        </Field>
        <Field label={WORDS.expiresAfter}>
          {(props) => <Input {...props} type="number" min="1" max="3650" value={days} onChange={(event) => setDays(event.target.value)} />}
        </Field>
        {making.isError ? <Notice tone="error" title={problemFrom(making.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="accent" disabled={principal === "" || making.isPending}>
            {WORDS.createToken}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
