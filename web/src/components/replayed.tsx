/** What a changed policy would have made of the past: what somebody stopped and would run comes first. */
import { Link } from "@tanstack/react-router";
import { TEXTS } from "@/components/texts";
import { Ago } from "@/components/ui/time";
import { cn } from "@/lib/cn";
import { line } from "@/lib/format";
import type { Replay } from "@/lib/replay";

const WORDS = TEXTS.replayed;

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
    <section aria-label={WORDS.replayOfPast} className="space-y-3">
      {replay.slips.length > 0 ? (
        <div className="rounded-lg bg-critical-soft px-4 py-3">
          <p className="font-medium text-critical">{WORDS.wouldSlipThrough(replay.changes.slips ?? 0)}</p>
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
                  {one.decided_by ? WORDS.by(line(one.decided_by.name)) : ""}
                  {one.reason ? `: ${line(one.reason)}` : ""}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <p>
        {WORDS.ofHoldsInThisTime(replay.holds, replay.asked, replay.would_ask)}{" "}
        {replay.observed > 0 ? WORDS.observed(replay.observed) : ""}
        {saved > 0 ? WORDS.minutes(saved, replay.minutes_saved > 0) : ""}
        {replay.slips.length === 0 ? WORDS.nothingThatSomebodyStoppedWould : ""}
        {replay.not_enough > 0 ? WORDS.approvedHoldsWouldNeedOther(replay.not_enough) : ""}
      </p>
      {replay.groups.length > 0 ? (
        <div className="max-h-60 overflow-auto rounded-lg border border-line" tabIndex={0} role="group" aria-label={WORDS.changesByAction}>
          <table className="w-full text-left text-sm">
            <thead className="text-xs text-ink-3">
              <tr>
                <th className="px-3 py-1.5 font-medium">{WORDS.change}</th>
                <th className="px-3 py-1.5 text-right font-medium">{WORDS.holds}</th>
                <th className="px-3 py-1.5 font-medium">{WORDS.action}</th>
                <th className="px-3 py-1.5 font-medium">{WORDS.level}</th>
                <th className="px-3 py-1.5 font-medium">{WORDS.last}</th>
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
        <p className="text-ink-2">{WORDS.nothingWouldHaveBeenDecided}</p>
      )}
    </section>
  );
}
