import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Panel } from "@/components/page";
import { Ago } from "@/components/ui/time";
import { entriesQuery, headQuery } from "@/features/audit/api";
import { Chain } from "@/features/audit/Chain";
import { TEXTS } from "@/features/audit/texts";
import { Verify } from "@/features/audit/Verify";

const WORDS = TEXTS.seal;

/** How far the log is sealed, its newest links, and a check of all of it. */
export function Seal() {
  const head = useQuery(headQuery).data;
  const newest = useInfiniteQuery(entriesQuery({})).data?.pages[0]?.entries ?? [];
  const [proven, setProven] = useState<number | null>(null);
  if (!head) return null;
  const at = head.seal?.["at"];
  return (
    <Panel title={TEXTS.chain.title}>
      <div className="space-y-4">
        <p>
          {WORDS.upTo(head.seq)}
          {typeof at === "string" ? (
            <>
              , <Ago at={at} />,
            </>
          ) : null}
          {head.key_id ? (
            <>
              {" "}
              {WORDS.withKey} <code className="break-all">{head.key_id}</code>
            </>
          ) : null}
          . {head.waiting > 0 ? WORDS.being(head.waiting) : WORDS.all}
        </p>
        <Chain entries={newest} sealed={head.seq} proven={proven} />
        <Verify head={head} onProven={setProven} />
      </div>
    </Panel>
  );
}
