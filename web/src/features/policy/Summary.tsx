import { RiskWord } from "@/components/risk";
import { Code } from "@/components/ui/copy";
import type { Policy } from "@/features/policy/api";
import { inWords, levelTable, linesOf, type LevelTable } from "@/features/policy/summary";
import { TEXTS } from "@/features/policy/texts";

const WORDS = TEXTS.summary;

// the subjects of a policy by their first word, in the order in which one asks about them
const GROUPS = [
  [WORDS.levels, ["level"]],
  [WORDS.actions, ["action", "executor"]],
  [WORDS.rules, ["rule"]],
  [WORDS.approvals, ["approval"]],
  [WORDS.roles, ["role"]],
  [WORDS.others, []],
] as const;

/** Everything it says, in words, by subject; the files themselves below. */
export function Summary({ policy }: { policy: Policy }) {
  const lines = inWords(policy.summary);
  const named = GROUPS.flatMap(([, begins]) => begins);
  return (
    <div className="space-y-2">
      {GROUPS.map(([title, begins], index) => {
        const said = linesOf(lines, begins, named);
        const table = index === 0 ? levelTable(said) : null;
        return (
          <details key={title} open={index === 0} className="group">
            <summary className="cursor-pointer py-1.5 font-medium">
              {title} <span className="font-normal text-ink-3">{table ? table.levels.length : said.length}</span>
            </summary>
            {table ? (
              <Levels of={table} />
            ) : (
              <dl className="divide-y divide-line pb-3">
                {said.map(([subject, text]) => (
                  <div key={subject} className="grid gap-x-4 py-1.5 sm:grid-cols-[16rem_1fr]">
                    <dt className="text-ink-3">{subject.replace(/^role /, "")}</dt>
                    <dd className="min-w-0 break-words">{text}</dd>
                  </div>
                ))}
              </dl>
            )}
          </details>
        );
      })}
      <details>
        <summary className="cursor-pointer py-1.5 font-medium">
          {WORDS.files} <span className="font-normal text-ink-3">{Object.keys(policy.files).length}</span>
        </summary>
        <div className="space-y-4 pt-2">
          {Object.entries(policy.files).map(([name, text]) => (
            <figure key={name} className="space-y-1.5">
              <figcaption className="font-mono text-xs text-ink-2">{name}</figcaption>
              <Code text={text} label={WORDS.copy(name)} />
            </figure>
          ))}
        </div>
      </details>
    </div>
  );
}

function Levels({ of }: { of: LevelTable }) {
  return (
    <div className="overflow-x-auto pb-3" tabIndex={0} role="group" aria-label={WORDS.table}>
      <table className="w-full min-w-2xl table-fixed text-left">
        <thead>
          <tr className="border-b border-line">
            <td className="w-28" />
            {of.levels.map((level) => (
              <th key={level} scope="col" className="py-2 pr-4 font-medium">
                <RiskWord level={level} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line align-top">
          {of.rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row" className="py-1.5 pr-4 font-normal text-ink-3">
                {name}
              </th>
              {cells.map((text, index) => (
                <td key={of.levels[index]} className="py-1.5 pr-4 break-words">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
