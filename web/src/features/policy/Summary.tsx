import { RiskWord } from "@/components/risk";
import { Code } from "@/components/ui/copy";
import type { Policy } from "@/features/policy/api";
import { LEVELS } from "@/lib/holds";

// the subjects of a policy by their first word, in the order in which one asks about them
const GROUPS: [title: string, first: string[]][] = [
  ["Levels: what each one requires", ["level"]],
  ["Registered actions: what is known about them", ["action", "executor"]],
  ["Rules: how risky an action is", ["rule"]],
  ["Approvals: who must approve which action", ["approval"]],
  ["Roles: who may approve what", ["role"]],
  ["Notifications, hours, names", []],
];

/** Everything it says, in words, by subject; the files themselves below. */
export function Summary({ policy }: { policy: Policy }) {
  const lines = Object.entries(policy.summary);
  const named = GROUPS.flatMap(([, first]) => first);
  const of = (first: string[]) =>
    lines.filter(([subject]) => {
      const word = subject.split(" ")[0] ?? "";
      return first.length > 0 ? first.includes(word) : !named.includes(word);
    });
  return (
    <div className="space-y-2">
      {GROUPS.map(([title, first], index) => (
        <details key={title} open={index === 0} className="group">
          <summary className="cursor-pointer py-1.5 font-medium">
            {title} <span className="font-normal text-ink-3">{of(first).length}</span>
          </summary>
          {index === 0 ? <Levels lines={of(first)} /> : null}
          <dl className="divide-y divide-line pb-3">
            {(index === 0 ? [] : of(first)).map(([subject, said]) => (
              <div key={subject} className="grid gap-x-4 py-1.5 sm:grid-cols-[16rem_1fr]">
                <dt className="text-ink-3">{subject}</dt>
                <dd className="min-w-0 break-words">{said}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
      <details>
        <summary className="cursor-pointer py-1.5 font-medium">
          Files <span className="font-normal text-ink-3">{Object.keys(policy.files).length}</span>
        </summary>
        <div className="space-y-4 pt-2">
          {Object.entries(policy.files).map(([name, text]) => (
            <figure key={name} className="space-y-1.5">
              <figcaption className="font-mono text-xs text-ink-2">{name}</figcaption>
              <Code text={text} label={`Copy ${name}`} />
            </figure>
          ))}
        </div>
      </details>
    </div>
  );
}

/** "level high, who" → a column for each level, a row for each thing it asks for. */
function Levels({ lines }: { lines: [string, string][] }) {
  const said = lines.map(([subject, text]) => ({ level: subject.split(" ")[1]?.replace(",", ""), name: subject.split(", ")[1] ?? "", text }));
  const levels = LEVELS.filter((level) => said.some((one) => one.level === level));
  const names = [...new Set(said.map((one) => one.name))];
  return (
    <div className="overflow-x-auto pb-3" tabIndex={0} role="group" aria-label="What each level requires">
      <table className="w-full min-w-2xl table-fixed text-left">
        <thead>
          <tr className="border-b border-line">
            <td className="w-28" />
            {levels.map((level) => (
              <th key={level} scope="col" className="py-2 pr-4 font-medium">
                <RiskWord level={level} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line align-top">
          {names.map((name) => (
            <tr key={name}>
              <th scope="row" className="py-1.5 pr-4 font-normal text-ink-3">
                {name}
              </th>
              {levels.map((level) => (
                <td key={level} className="py-1.5 pr-4 break-words">
                  {said.find((one) => one.level === level && one.name === name)?.text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
