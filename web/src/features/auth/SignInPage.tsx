import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import { Logo } from "@/components/logo";
import { Button, buttonLook } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { providersQuery, signIn, type Proof } from "@/features/auth/api";
import { companyProblem, readLink } from "@/features/auth/link";
import { problemFrom, type Problem } from "@/lib/api";
import { line } from "@/lib/format";
import { meQuery } from "@/lib/me";

export function SignInPage() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [link] = useState(() => readLink(location));
  const [sentBack] = useState(() => companyProblem(location.search));
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const used = useRef(false);
  const [sure, setSure] = useState(!link.waits);
  const entering = useMutation({
    mutationFn: (proof: Proof) => signIn(proof),
    onSuccess: async (me) => {
      queries.clear();
      queries.setQueryData(meQuery.queryKey, me);
      await navigate({ to: link.next, replace: true });
    },
  });

  useEffect(() => {
    if (link.code === null || !sure || used.current) return;
    used.current = true;
    // out of the address bar and the history before it is used
    history.replaceState(null, "", "/sign-in");
    entering.mutate({ code: link.code });
  }, [link, sure, entering]);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    entering.mutate({ name, password });
  }

  const byLink = link.code !== null;
  const failed = entering.isError ? problemFrom(entering.error) : null;
  if (link.code !== null && failed?.code === "signed_in_as_another") {
    const code = link.code;
    return (
      <Instead
        of={failed}
        onReplace={() => entering.mutate({ code, replace: true })}
        onStay={() => void navigate({ to: link.next, replace: true })}
      />
    );
  }
  return (
    <main className="flex min-h-full items-center justify-center px-4 py-12">
      <div className="w-full max-w-sm space-y-6">
        <div className="space-y-2">
          <Logo />
          <h1 className="pt-3 text-xl font-semibold">Sign in</h1>
        </div>
        {failed ? (
          <Notice tone="error" title={byLink && failed.status === 401 ? "This link has been used or has expired." : failed.message}>
            {byLink && failed.status === 401 ? "Each link works once. Ask for a new one, or use your password." : null}
          </Notice>
        ) : sentBack ? (
          <Notice tone="error" title={sentBack} />
        ) : null}
        {byLink ? null : <Company next={link.next} />}
        {byLink && !sure ? (
          <div className="space-y-3">
            <p className="text-ink-2">This link signs you in, once. It decides nothing.</p>
            <Button tone="accent" size="lg" className="w-full" onClick={() => setSure(true)}>
              Continue
            </Button>
          </div>
        ) : null}
        {byLink && !sure ? null : byLink && entering.isPending ? (
          <p role="status">Signing you in with your link…</p>
        ) : (
          <form onSubmit={submit} className="space-y-4">
            <Field label="Name">
              {(props) => (
                <Input {...props} value={name} onChange={(e) => setName(e.target.value)} autoComplete="username" required autoFocus />
              )}
            </Field>
            <Field label="Password">
              {(props) => (
                <Input
                  {...props}
                  type="password"
                  value={password}
                  onChange={(e) => setPassword(e.target.value)}
                  autoComplete="current-password"
                  required
                />
              )}
            </Field>
            <Button type="submit" tone="accent" size="lg" className="w-full" disabled={entering.isPending}>
              {entering.isPending ? "Signing in…" : "Sign in"}
            </Button>
            <Button size="lg" className="w-full" disabled={entering.isPending} onClick={() => entering.mutate("passkey")}>
              Use a passkey
            </Button>
          </form>
        )}
        <details className="text-ink-2">
          <summary className="cursor-pointer">No password, or locked out?</summary>
          <div className="space-y-2 pt-3">
            <p>Ask an administrator for a one-time link. On the machine that runs Handrail, an administrator can create one:</p>
            <Code text="handrail admin-link" label="Copy command" />
          </div>
        </details>
      </div>
    </main>
  );
}

/** The company's own sign-in, where there is one. */
function Company({ next }: { next: string }) {
  const found = useQuery(providersQuery);
  if (!found.data?.providers.length) return null;
  return (
    <div className="space-y-2">
      {found.data.providers.map((one) => (
        <a key={one.name} href={`${one.start}?next=${encodeURIComponent(next)}`} className={buttonLook({ tone: "accent", size: "lg", className: "w-full" })}>
          Sign in with {line(one.title)}
        </a>
      ))}
      <p className="pt-2 text-center text-xs text-ink-3">
        {found.data.local_sign_in === "everyone" ? "or with your name and password" : "Passwords are for administrators in an emergency."}
      </p>
    </div>
  );
}

/** Somebody else is signed in in this browser: nobody is replaced without being asked. */
function Instead({ of, onReplace, onStay }: { of: Problem; onReplace: () => void; onStay: () => void }) {
  const here = line(String(of.data.signed_in));
  const other = line(String(of.data.link));
  return (
    <main className="flex min-h-full items-center justify-center px-4 py-12">
      <div className="w-full max-w-sm space-y-6">
        <Logo />
        <h1 className="text-xl font-semibold">You are signed in as {here}</h1>
        <p>
          This link is for {other}. If you sign in as {other}, everything you do after that is recorded under that name.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button tone="accent" onClick={onStay}>
            Stay signed in as {here}
          </Button>
          <Button onClick={onReplace}>Sign in as {other}</Button>
        </div>
      </div>
    </main>
  );
}
