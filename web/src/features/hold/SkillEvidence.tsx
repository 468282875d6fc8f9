/** What a candidate for a skill is judged by: what the scan found, what an update changes, every file. */
import { DiffText } from "@/components/diff";
import { Findings } from "@/components/findings";
import { Section } from "@/components/section";
import type { Evidence } from "@/features/hold/skill-evidence";
import { line, plain } from "@/lib/format";

export default function SkillEvidence({ of }: { of: Evidence }) {
  return (
    <>
      <Section title="What the scan found" note="part of what you decide">
        <Findings of={of.findings} />
      </Section>
      {of.diff ? (
        <Section title="What the update changes">
          <DiffText text={plain(of.diff)} />
        </Section>
      ) : null}
      <Section title="Files" note="part of what you decide">
        <ul className="divide-y divide-line rounded-lg border border-line">
          {of.files.map((file) => (
            <li key={file.path}>
              <details>
                <summary className="cursor-pointer px-4 py-2">
                  <code className="break-all">{line(file.path)}</code> <span className="text-xs text-ink-3">{file.size.toLocaleString("en")} bytes</span>
                </summary>
                <pre tabIndex={0} aria-label={line(file.path)} className="max-h-96 overflow-auto border-t border-line bg-sunken px-4 py-3 text-xs leading-5">
                  {file.text === undefined ? "Not text, or too long to show here. See the skill's page." : plain(file.text)}
                  {file.cut ? "\n… (the rest is on the skill's page)" : ""}
                </pre>
              </details>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
