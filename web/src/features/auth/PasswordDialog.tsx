<<<<<<< HEAD
/** One's own password: it makes the session one's own, whoever made the link that began it. */
=======
/** A password of one's own: what a person needs who came by a link or token that somebody else made. */
>>>>>>> 8af1003 (test(attacks): the web: scripts in every field, framing, next, traversal, smuggling, headers of mail; feat(web): set your password)
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
<<<<<<< HEAD
import { Dialog } from "@/components/ui/dialog";
=======
import { BackButton, Dialog } from "@/components/ui/dialog";
>>>>>>> 8af1003 (test(attacks): the web: scripts in every field, framing, next, traversal, smuggling, headers of mail; feat(web): set your password)
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { setPassword } from "@/features/auth/api";
import { problemFrom } from "@/lib/api";
<<<<<<< HEAD
import { meQuery } from "@/lib/me";

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [password, setPasswordText] = useState("");
  const [current, setCurrent] = useState("");
  const setting = useMutation({
    mutationFn: () => setPassword(password, current),
    onSuccess: async (me) => {
      queries.setQueryData(meQuery.queryKey, me);
      toast({ tone: "good", title: "Your password is set. Your other sessions have ended." });
      onClose();
      // what one may decide may be more now
      await queries.invalidateQueries();
    },
  });
  const problem = setting.isError ? problemFrom(setting.error) : null;
=======
import { holdKeys } from "@/lib/holds";

export default function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [password, change] = useState("");
  const [current, setCurrent] = useState("");
  const queries = useQueryClient();
  const setting = useMutation({
    mutationFn: () => setPassword(password, current || null),
    onSuccess: () => {
      // what may be decided with it
      void queries.invalidateQueries({ queryKey: holdKeys.all });
      onClose();
      toast({ title: "Your password is set.", tone: "good" });
    },
  });
>>>>>>> 8af1003 (test(attacks): the web: scripts in every field, framing, next, traversal, smuggling, headers of mail; feat(web): set your password)
  return (
    <Dialog title="Set your password" onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          setting.mutate();
        }}
      >
<<<<<<< HEAD
        <Field label="New password" hint="At least 10 characters. A few words that do not belong together are best.">
          {(props) => (
            <Input
              {...props}
              type="password"
              autoComplete="new-password"
              autoFocus
              required
              value={password}
              onChange={(event) => setPasswordText(event.target.value)}
            />
          )}
        </Field>
        <Field label="Current password" hint="Leave it empty if you have none, or came by a sign-in link.">
          {(props) => (
            <Input
              {...props}
              type="password"
              autoComplete="current-password"
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
          )}
        </Field>
        {problem ? <Notice tone="error" title={problem.message} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" tone="accent" disabled={setting.isPending}>
            {setting.isPending ? "Setting…" : "Set password"}
=======
        <p className="text-ink-2">Critical decisions need a password that only you know, because somebody else made the link or token that you came with.</p>
        <Field label="New password">
          {(props) => <Input {...props} type="password" autoComplete="new-password" required value={password} onChange={(event) => change(event.target.value)} />}
        </Field>
        <Field label="Current password (optional)" hint="Needed where you have one, unless you have just come by a sign-in link.">
          {(props) => <Input {...props} type="password" autoComplete="current-password" value={current} onChange={(event) => setCurrent(event.target.value)} />}
        </Field>
        {setting.isError ? <Notice tone="error" title={problemFrom(setting.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="accent" disabled={password === "" || setting.isPending}>
            {setting.isPending ? "Setting…" : "Set it"}
>>>>>>> 8af1003 (test(attacks): the web: scripts in every field, framing, next, traversal, smuggling, headers of mail; feat(web): set your password)
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
