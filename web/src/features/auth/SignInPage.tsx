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
import { TEXTS } from "@/features/auth/texts";
import { problemFrom, type Problem } from "@/lib/api";
import { line } from "@/lib/format";
import { meQuery } from "@/lib/me";

const WORDS = TEXTS.signInPage;

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
          <h1 className="pt-3 text-xl font-semibold">{WORDS.signIn}</h1>
        </div>
        {failed ? (
          <Notice tone="error" title={byLink && failed.status === 401 ? WORDS.thisLinkHasBeenUsed : failed.message}>
            {byLink && failed.status === 401 ? WORDS.eachLinkWorksOnce : null}
          </Notice>
        ) : sentBack ? (
          <Notice tone="error" title={sentBack} />
        ) : null}
        {byLink ? null : <Company next={link.next} />}
        {byLink && !sure ? (
          <div className="space-y-3">
            <p className="text-ink-2">{WORDS.thisLinkSignsYouIn}</p>
            <Button tone="accent" size="lg" className="w-full" onClick={() => setSure(true)}>
              {WORDS.continue}
            </Button>
          </div>
        ) : null}
        {byLink && !sure ? null : byLink && entering.isPending ? (
          <p role="status">{WORDS.signingYouInWithYour}</p>
        ) : (
          <form onSubmit={submit} className="space-y-4">
            <Field label={WORDS.name}>
              {(props) => (
                <Input {...props} value={name} onChange={(e) => setName(e.target.value)} autoComplete="username" required autoFocus />
              )}
            </Field>
            <Field label={WORDS.password}>
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
              {entering.isPending ? WORDS.signingIn : WORDS.signIn}
            </Button>
            <Button size="lg" className="w-full" disabled={entering.isPending} onClick={() => entering.mutate("passkey")}>
              {WORDS.useAPasskey}
            </Button>
          </form>
        )}
        <details className="text-ink-2">
          <summary className="cursor-pointer">{WORDS.noPassword}</summary>
          <div className="space-y-2 pt-3">
            <p>{WORDS.askAdministratorForOneTime}</p>
            <Code text="handrail admin-link" label={WORDS.copyCommand} />
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
          {WORDS.signInWith(line(one.title))}
        </a>
      ))}
      <p className="pt-2 text-center text-xs text-ink-3">
        {found.data.local_sign_in === "everyone" ? WORDS.orWithYourNameAnd : WORDS.passwordsAreForAdministratorsIn}
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
        <h1 className="text-xl font-semibold">{WORDS.youAreSignedInAs(here)}</h1>
        <p>
          {WORDS.thisLinkIsFor(other)}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button tone="accent" onClick={onStay}>
            {WORDS.staySignedInAs(here)}
          </Button>
          <Button onClick={onReplace}>{WORDS.signInAs(other)}</Button>
        </div>
      </div>
    </main>
  );
}
