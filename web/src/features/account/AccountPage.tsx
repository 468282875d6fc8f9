/** One's own account: password, tokens, sign-ins. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Page, Panel } from "@/components/page";
import { MakeToken, TokenList } from "@/components/tokens";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Absences } from "@/features/account/Absences";
import { Company } from "@/features/account/Company";
import { Links } from "@/features/account/Links";
import { Notifications } from "@/features/account/Notifications";
import { Dates } from "@/features/account/Dates";
import { Passkeys } from "@/features/account/Passkeys";
import { Password } from "@/features/account/Password";
import { Push } from "@/features/account/Push";
import { SignIns } from "@/features/account/SignIns";
import { TEXTS } from "@/features/account/texts";
import { problemFrom } from "@/lib/api";
import { words } from "@/lib/format";
import { useMe } from "@/lib/me";
import { tokensQuery } from "@/lib/tokens";

const WORDS = TEXTS.accountPage;

export function AccountPage() {
  const me = useMe();
  return (
    <Page title={WORDS.yourAccount} intro={`${me.name} · ${me.roles.map(words).join(", ") || WORDS.noRoles}`}>
      <Company />
      <Password />
      <Passkeys />
      <Dates />
      <Absences />
      <Notifications />
      <Links />
      <Push />
      <Tokens />
      <SignIns />
    </Page>
  );
}

function Tokens() {
  const me = useMe();
  const tokens = useQuery(tokensQuery("mine"));
  const [making, setMaking] = useState(false);
  return (
    <Panel
      title={WORDS.tokens}
      note={WORDS.credentialsForYourPrograms}
      actions={
        <Button size="sm" onClick={() => setMaking(true)}>
          {WORDS.createToken}
        </Button>
      }
    >
      {tokens.isError ? <Notice tone="error" title={problemFrom(tokens.error).message} /> : null}
      {tokens.data ? <TokenList tokens={tokens.data} name={(token) => token.label ?? WORDS.noLabel} /> : null}
      {making ? <MakeToken principal={me.id} onClose={() => setMaking(false)} /> : null}
    </Panel>
  );
}
