import { Link } from "@tanstack/react-router";
import { Entries } from "@/components/json";
import { Ago } from "@/components/ui/time";
import type { AuditEntry } from "@/features/audit/api";
import { TEXTS } from "@/features/audit/texts";
import { exact, line } from "@/lib/format";
import { spoke } from "@/lib/wording";

export function EntryRow({ entry }: { entry: AuditEntry }) {
  return (
    <li className="py-2">
      <details>
        <summary className="flex cursor-pointer list-none flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <span className="w-12 text-right font-mono text-xs text-ink-3 tabular-nums">{entry.seq}</span>
          <span className="font-medium">{said(entry)}</span>
          <span className="min-w-0 flex-1 truncate text-ink-2">{entry.hold_title ? line(entry.hold_title) : ""}</span>
          <span className="text-xs text-ink-3">
            {entry.actor ? `${spoke(entry.actor, entry.on_behalf_of)}, ` : ""}
            <Ago at={entry.at} />
          </span>
        </summary>
        <div className="mt-2 ml-15 space-y-2 rounded-lg bg-sunken px-4 py-2">
          <p className="text-xs text-ink-3">{exact(entry.at)}</p>
          <Entries of={entry.data} />
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
            <span className="font-mono break-all text-ink-3">{TEXTS.hash(entry.hash)}</span>
            {entry.actor ? (
              <Link to="/audit" search={{ actor: entry.actor.id }} className="text-accent underline">
                {TEXTS.allOfActor(line(entry.actor.name))}
              </Link>
            ) : null}
            {entry.hold_id && entry.hold_short_id ? (
              <>
                <Link to="/holds/$holdId" params={{ holdId: entry.hold_id }} className="text-accent underline">
                  {TEXTS.openHold(entry.hold_short_id)}
                </Link>
                <Link to="/audit" search={{ hold: entry.hold_short_id }} className="text-accent underline">
                  {TEXTS.allOfHold(entry.hold_short_id)}
                </Link>
              </>
            ) : null}
          </p>
        </div>
      </details>
    </li>
  );
}

/** "hold decided: approved". */
function said(entry: AuditEntry): string {
  const detail = entry.data["outcome"] ?? entry.data["verdict"];
  return entry.type.replaceAll(/[._]/g, " ") + (typeof detail === "string" ? `: ${detail}` : "");
}
