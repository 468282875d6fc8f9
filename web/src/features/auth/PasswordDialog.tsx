/** One's own password: it makes the session one's own, whoever made the link that began it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { setPassword } from "@/features/auth/api";
import { problemFrom } from "@/lib/api";
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
  return (
    <Dialog title="Set your password" onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          setting.mutate();
        }}
      >
        <Field label="New password" hint="At least 10 characters. A few unrelated words work best.">
          {(props) => (
            <Input
              {...props}
              type="password"
              autoComplete="new-password"
              required
              value={password}
              onChange={(event) => setPasswordText(event.target.value)}
            />
          )}
        </Field>
        <Field label="Current password" hint="Leave empty if you have none or used a sign-in link.">
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
          <BackButton />
          <Button type="submit" tone="accent" disabled={setting.isPending}>
            {setting.isPending ? "Setting…" : "Set password"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
