/** What is known about an action, and where each of it comes from. */
import { Coded } from "@/components/coded";
import type { Schemas } from "@/lib/api";
import { plain, words } from "@/lib/format";
import { TEXTS } from "@/components/texts";

const WORDS = TEXTS.facts;

export function Facts({ of, caption }: { of: readonly Schemas["FactOut"][]; caption?: string }) {
  return (
    <table className="w-full text-left text-xs">
      {caption ? <caption className="pb-1 text-left text-ink-3">{caption}</caption> : null}
      <thead>
        <tr>
          {WORDS.heads.map((name) => (
            <th key={name} scope="col" className="border-b border-line py-1 pr-3 font-medium text-ink-3">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {of.map((fact, index) => (
          <tr key={index} className="border-b border-line align-top last:border-0">
            <td className="py-1 pr-3">{words(fact.name)}</td>
            <td className="py-1 pr-3 font-mono break-all">{plain(fact.value)}</td>
            <td className="py-1 break-words text-ink-2"><Coded text={fact.source} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
