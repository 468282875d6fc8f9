import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { Panel } from "@/components/page";
import { Code } from "@/components/ui/copy";
import { Ago } from "@/components/ui/time";
import { headQuery } from "@/features/audit/api";

/** How far the log is sealed. A server's own word is no proof, so it also says how to get one. */
export function Seal() {
  const head = useQuery(headQuery).data;
  if (!head) return null;
  const at = head.seal?.["at"];
  return (
    <Panel title="Seal">
      <div className="flex gap-3">
        <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
        <div className="min-w-0 space-y-3">
          <p>
            Sealed up to entry {head.seq.toLocaleString("en")}
            {typeof at === "string" ? (
              <>
                , <Ago at={at} />,
              </>
            ) : null}
            {head.key_id ? (
              <>
                {" "}
                with key <code>{head.key_id}</code>
              </>
            ) : null}
            . {head.waiting > 0 ? `${head.waiting} newer events get their number now.` : "Nothing waits for its number."}
          </p>
          <details>
            <summary className="cursor-pointer text-ink-2">Prove that nothing was changed, removed or moved</summary>
            <div className="space-y-2 pt-3">
              <p className="text-ink-2">
                On a machine of your own, with the public key that you keep there. A server&apos;s own word would be no proof.
              </p>
              <Code text={"handrail audit verify handrail-audit.jsonl --key key.pub"} label="Copy the command" />
            </div>
          </details>
        </div>
      </div>
    </Panel>
  );
}
