/** What a changed policy would have made of the past: what somebody stopped and would run comes first. */
import { Link } from "@tanstack/react-router";
import { Ago } from "@/components/ui/time";
import { cn } from "@/lib/cn";
import { line, plural } from "@/lib/format";
import type { Replay } from "@/lib/replay";

const CHANGES: Record<Replay["groups"][number]["change"], string> = {
  slips: "slips through",
  unasked: "no longer asked",
  weaker: "less required",
  asked: "newly asked",
  stricter: "more required",
  same: "the same",
};
const LOOSER = ["slips", "unasked", "weaker"];
const SHOWN = 8;

export function Replayed({ replay }: { replay: Replay }) {
  const saved = Math.round(Math.abs(replay.minutes_saved));
  return (
    <section aria-label="Replay of the past" className="space-y-3">
      {replay.slips.length > 0 ? (
        <div className="rounded-lg bg-critical-soft px-4 py-3">
          <p className="font-medium text-critical">{plural(replay.changes.slips ?? 0, "hold that somebody stopped", "holds that somebody stopped")} would slip through</p>
          <ul className="mt-1 space-y-1">
            {replay.slips.slice(0, SHOWN).map((one) => (
              <li key={one.id}>
                <Link to="/holds/$holdId" params={{ holdId: one.id }} className="underline">
                  {one.short_id}
                </Link>{" "}
                {line(one.title)}
                <span className="text-ink-2">
                  {" "}
                  {one.outcome}
                  {one.decided_by ? ` by ${line(one.decided_by.name)}` : ""}
                  {one.reason ? `: ${line(one.reason)}` : ""}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <p>
        Of {plural(replay.holds, "hold")} in this time, people were asked about {replay.asked} and would be asked about {replay.would_ask}.{" "}
        {saved > 0 ? `About ${saved} min of people’s time ${replay.minutes_saved > 0 ? "saved" : "more"}. ` : ""}
        {replay.slips.length === 0 ? "Nothing that somebody stopped would slip through." : ""}
        {replay.not_enough > 0 ? ` ${plural(replay.not_enough, "approved hold")} would need other or more people.` : ""}
      </p>
      {replay.groups.length > 0 ? (
        <div className="max-h-60 overflow-auto rounded-lg border border-line" tabIndex={0} role="group" aria-label="Changes by action">
          <table className="w-full text-left text-sm">
            <thead className="text-xs text-ink-3">
              <tr>
                <th className="px-3 py-1.5 font-medium">Change</th>
                <th className="px-3 py-1.5 text-right font-medium">Holds</th>
                <th className="px-3 py-1.5 font-medium">Action</th>
                <th className="px-3 py-1.5 font-medium">Level</th>
                <th className="px-3 py-1.5 font-medium">Last</th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {replay.groups.map((one) => (
                <tr key={`${one.change} ${one.action} ${one.was} ${one.would}`}>
                  <td className={cn("px-3 py-1.5 whitespace-nowrap", one.change === "slips" && "font-medium text-critical", LOOSER.includes(one.change) && "text-high")}>{CHANGES[one.change]}</td>
                  <td className="px-3 py-1.5 text-right tabular-nums">{one.count}</td>
                  <td className="px-3 py-1.5 font-mono text-xs whitespace-nowrap">{line(one.action)}</td>
                  <td className="px-3 py-1.5 whitespace-nowrap">{one.was === one.would ? one.was : `${one.was} → ${one.would}`}</td>
                  <td className="px-3 py-1.5 whitespace-nowrap text-ink-2">
                    <Link to="/holds/$holdId" params={{ holdId: one.newest.id }} className="underline">
                      {one.newest.short_id}
                    </Link>{" "}
                    <Ago at={one.newest.opened_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <p className="text-ink-2">Nothing would have been decided by other rules.</p>
      )}
    </section>
  );
}
