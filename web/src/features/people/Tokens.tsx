import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Panel } from "@/components/page";
import { MakeToken, TokenList } from "@/components/tokens";
import { Button } from "@/components/ui/button";
import { Field, Select } from "@/components/ui/field";
import { peopleQuery } from "@/features/people/api";
import { TEXTS } from "@/features/people/texts";
import { line } from "@/lib/format";
import { tokensQuery } from "@/lib/tokens";

const WORDS = TEXTS.tokens;

/** Everybody's tokens. */
export function Tokens() {
  const tokens = useQuery(tokensQuery("all")).data ?? [];
  const [making, setMaking] = useState(false);
  return (
    <Panel
      title={WORDS.tokens}
      note={WORDS.credentialsForPrograms}
      actions={
        <Button size="sm" onClick={() => setMaking(true)}>
          {WORDS.createToken}
        </Button>
      }
    >
      <TokenList tokens={tokens} name={(token) => (token.label ? `${token.principal.name} · ${token.label}` : token.principal.name)} />
      {making ? <MakeForAnybody onClose={() => setMaking(false)} /> : null}
    </Panel>
  );
}

function MakeForAnybody({ onClose }: { onClose: () => void }) {
  const people = useQuery(peopleQuery).data?.filter((one) => one.active) ?? [];
  const [principal, setPrincipal] = useState("");
  return (
    <MakeToken principal={principal} onClose={onClose}>
      <Field label={WORDS.tokenFor}>
        {(props) => (
          <Select {...props} required value={principal} onChange={(event) => setPrincipal(event.target.value)}>
            <option value="">{WORDS.choose}</option>
            {people.map((one) => (
              <option key={one.id} value={one.id}>
                {line(one.name)} ({one.kind})
              </option>
            ))}
          </Select>
        )}
      </Field>
    </MakeToken>
  );
}
