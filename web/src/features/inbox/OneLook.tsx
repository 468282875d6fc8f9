/** Several holds at one look: of one action as a table of what sets them apart, of several each by what it does. */
import { Effect } from "@/components/effect";
import { Entries, Value } from "@/components/json";
import { RiskWord } from "@/components/risk";
import { likenessOf, type Likeness } from "@/features/inbox/likeness";
import { TEXTS } from "@/features/inbox/texts";
import { line } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { headline } from "@/lib/wording";

const WORDS = TEXTS.bulk;

export function OneLook({ holds }: { holds: Hold[] }) {
  const like = likenessOf(holds);
  return like ? <Alike holds={holds} like={like} /> : <Each holds={holds} />;
}

function Alike({ holds, like }: { holds: Hold[]; like: Likeness }) {
  return (
    <div className="space-y-3">
      <p>
        {WORDS.each} <code className="rounded bg-sunken px-1.5 py-0.5 font-medium">{line(like.action)}</code>
        {Object.keys(like.common).length > 0 ? WORDS.common : "."}
      </p>
      {Object.keys(like.common).length > 0 ? <Entries of={like.common} /> : null}
      <div className="max-h-72 overflow-auto rounded-lg border border-line" tabIndex={0} role="group" aria-label={WORDS.label}>
        <table className="w-full text-left">
          <thead className="sticky top-0 bg-sunken text-xs text-ink-2">
            <tr>
              {[WORDS.hold, ...like.differing, WORDS.risk].map((name) => (
                <th key={name} scope="col" className="px-3 py-2 font-medium">
                  {line(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {holds.map((hold) => {
              const fields = like.of(hold);
              return (
                <tr key={hold.id} className="align-top">
                  <th scope="row" className="px-3 py-2 font-normal">
                    <code className="text-xs text-ink-3">{hold.short_id}</code>
                    {like.differing.length === 0 ? <span className="block">{headline(hold)}</span> : null}
                  </th>
                  {like.differing.map((name) => (
                    <td key={name} className="max-w-80 px-3 py-2">
                      {name in fields ? <Value of={fields[name]} /> : <span className="text-ink-3">{WORDS.notSet}</span>}
                    </td>
                  ))}
                  <td className="px-3 py-2">
                    <RiskWord level={hold.risk} className="text-xs" />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Each({ holds }: { holds: Hold[] }) {
  return (
    <ul className="max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line" tabIndex={0} aria-label={WORDS.label}>
      {holds.map((hold) => (
        <li key={hold.id} className="px-4 py-2.5">
          <p className="flex items-baseline justify-between gap-3">
            <span className="font-medium">{headline(hold)}</span>
            <RiskWord level={hold.risk} className="text-xs" />
          </p>
          <p className="text-xs break-words text-ink-2">
            <Effect hold={hold} />
          </p>
        </li>
      ))}
    </ul>
  );
}
