/** One's own password: it makes the session one's own, whoever made the link that began it. */
import { useState } from "react";
import { Panel } from "@/components/page";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useSetPassword } from "@/features/account/api";
import { problemFrom } from "@/lib/api";
import { useMe } from "@/lib/me";

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
          toast({ tone: "good", title: "Your password is set. You are signed out everywhere else." });
        },
      },
    );
  }
  return (
    <Panel title="Password">
      <form
        className="max-w-md space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {me.own_credential ? null : (
          <Notice tone="warning" title="You did not create this credential yourself.">
            Until you set your own password, you cannot approve what the policy reserves for your own credential.
          </Notice>
        )}
        {/* for password managers */}
        <input type="text" hidden readOnly autoComplete="username" value={me.name} />
        <Field label="New password" hint="At least 10 characters. A few unrelated words work best.">
          {(props) => (
            <Input {...props} type="password" autoComplete="new-password" required value={password} onChange={(event) => setPassword(event.target.value)} />
          )}
        </Field>
        <Field label="Current password" hint="Leave empty if you have none or used a sign-in link.">
          {(props) => (
            <Input {...props} type="password" autoComplete="current-password" value={current} onChange={(event) => setCurrent(event.target.value)} />
          )}
        </Field>
        {setting.isError ? <Notice tone="error" title={problemFrom(setting.error).message} /> : null}
        <Button type="submit" tone="accent" disabled={setting.isPending}>
          {setting.isPending ? "Setting…" : "Set password"}
        </Button>
      </form>
    </Panel>
  );
}
