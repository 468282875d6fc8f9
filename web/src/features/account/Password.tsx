/** One's own password: it makes the session one's own, whoever made the link that began it. */
import { useState } from "react";
import { Panel } from "@/components/page";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useSetPassword } from "@/features/account/api";
import { TEXTS } from "@/features/account/texts";
import { problemFrom } from "@/lib/api";
import { useMe } from "@/lib/me";

const WORDS = TEXTS.password;

export function Password() {
  const me = useMe();
  const setting = useSetPassword();
  const [password, setPassword] = useState("");
  const [current, setCurrent] = useState("");
  function send() {
    setting.mutate(
      { password, ...(current ? { current } : {}) },
      {
        onSuccess: () => {
          setPassword("");
          setCurrent("");
          toast({ tone: "good", title: WORDS.yourPasswordIsSet });
        },
      },
    );
  }
  return (
    <Panel title={WORDS.password}>
      <form
        className="max-w-md space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {me.own_credential ? null : (
          <Notice tone="warning" title={WORDS.youDidNotCreateThis}>
            {WORDS.untilYouSetYourOwn}
          </Notice>
        )}
        {/* for password managers */}
        <input type="text" hidden readOnly autoComplete="username" value={me.name} />
        <Field label={WORDS.newPassword} hint={WORDS.atLeast10Characters}>
          {(props) => (
            <Input {...props} type="password" autoComplete="new-password" required value={password} onChange={(event) => setPassword(event.target.value)} />
          )}
        </Field>
        <Field label={WORDS.currentPassword} hint={WORDS.leaveEmptyIfYouHave}>
          {(props) => (
            <Input {...props} type="password" autoComplete="current-password" value={current} onChange={(event) => setCurrent(event.target.value)} />
          )}
        </Field>
        {setting.isError ? <Notice tone="error" title={problemFrom(setting.error).message} /> : null}
        <Button type="submit" tone="accent" disabled={setting.isPending}>
          {setting.isPending ? WORDS.setting : WORDS.setPassword}
        </Button>
      </form>
    </Panel>
  );
}
