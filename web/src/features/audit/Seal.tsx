import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { Panel } from "@/components/page";
import { Code } from "@/components/ui/copy";
import { Ago } from "@/components/ui/time";
import { headQuery } from "@/features/audit/api";
import { plural } from "@/lib/format";

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
            . {head.waiting > 0 ? `${plural(head.waiting, "newer entry is", "newer entries are")} being sealed.` : "All entries are sealed."}
          </p>
          <details>
            <summary className="cursor-pointer text-ink-2">Verify that nothing was changed, removed or reordered</summary>
            <div className="space-y-2 pt-3">
              <p className="text-ink-2">
                Run this on your own machine, with the public key you keep there. A server cannot vouch for itself.
              </p>
              <Code text={"handrail audit verify handrail-audit.jsonl --key key.pub"} label="Copy command" />
            </div>
          </details>
        </div>
      </div>
    </Panel>
  );
}
