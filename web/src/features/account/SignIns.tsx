/** Where one is and was signed in, so that a sign-in that was not one's own is noticed, and ended. */
import { useQuery } from "@tanstack/react-query";
import { Panel } from "@/components/page";
import { Sure } from "@/components/tokens";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { Waiting } from "@/components/ui/waiting";
import { signInsQuery, useEndSignIn, type SignIn } from "@/features/account/api";
import { browserName } from "@/features/account/browsers";
import { TEXTS } from "@/features/account/texts";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";

const WORDS = TEXTS.signIns;

export function SignIns() {
  const found = useQuery(signInsQuery);
  const ending = useEndSignIn();
  const others = found.data?.some((one) => one.ends_at !== null && !one.current);
  return (
    <Panel
      title={WORDS.signIns}
      note={WORDS.browsers}
      actions={others ? <Sure label={WORDS.signOutElsewhere} about={WORDS.allOtherBrowsers} disabled={ending.isPending} onSure={() => ending.mutate(null)} /> : null}
    >
      {ending.isError ? <Notice tone="error" title={problemFrom(ending.error).message} className="mb-3" /> : null}
      {found.isError ? (
        <Notice tone="error" title={problemFrom(found.error).message} />
      ) : found.isPending ? (
        <Waiting what={WORDS.yourSignIns} />
      ) : (
        <ul aria-label={WORDS.newestFirst} className="-my-2 divide-y divide-line">
          {found.data.map((one) => (
            <SignInRow key={one.id} one={one} disabled={ending.isPending} onEnd={() => ending.mutate(one.id)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function SignInRow({ one, disabled, onEnd }: { one: SignIn; disabled: boolean; onEnd: () => void }) {
  const browser = browserName(one.browser);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <span className="min-w-0 flex-1 basis-48">
        <span className="block truncate font-medium" title={one.browser ? line(one.browser) : undefined}>
          {browser}
        </span>
        <span className="block text-xs text-ink-3">
          {WORDS.from(line(one.address), withWhat(one.how))} <Ago at={one.at} />
        </span>
      </span>
      {one.current ? (
        <span className="text-xs font-medium text-good">{WORDS.thisBrowser}</span>
      ) : one.ends_at === null ? (
        <span className="text-xs text-ink-3">{WORDS.ended}</span>
      ) : (
        <Sure label={WORDS.signOut} about={WORDS.browserFrom(browser, one.address)} disabled={disabled} onSure={onEnd} />
      )}
    </li>
  );
}

function withWhat(how: string): string {
  return how === "sso" ? WORDS.withTheCompanysSignIn : WORDS.withA(line(how));
}
