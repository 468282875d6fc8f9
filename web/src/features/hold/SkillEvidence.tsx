/** What a candidate for a skill is judged by: what the scan found, what an update changes, every file. */
import { DiffText } from "@/components/diff";
import { Findings } from "@/components/findings";
import { Section } from "@/components/section";
import type { Evidence } from "@/features/hold/skill-evidence";
import { TEXTS } from "@/features/hold/texts";
import { line, plain } from "@/lib/format";

const WORDS = TEXTS.skillEvidence;

export default function SkillEvidence({ of }: { of: Evidence }) {
  return (
    <>
      <Section title={WORDS.whatScanFound} note={WORDS.partOfWhatYouDecide}>
        <Findings of={of.findings} />
      </Section>
      {of.diff ? (
        <Section title={WORDS.whatUpdateChanges}>
          <DiffText text={plain(of.diff)} />
        </Section>
      ) : null}
      <Section title={WORDS.files} note={WORDS.partOfWhatYouDecide}>
        <ul className="divide-y divide-line rounded-lg border border-line">
          {of.files.map((file) => (
            <li key={file.path}>
              <details>
                <summary className="cursor-pointer px-4 py-2">
                  <code className="break-all">{line(file.path)}</code> <span className="text-xs text-ink-3">{WORDS.bytes(file.size.toLocaleString("en"))}</span>
                </summary>
                <pre tabIndex={0} aria-label={line(file.path)} className="max-h-96 overflow-auto border-t border-line bg-sunken px-4 py-3 text-xs leading-5">
                  {file.text === undefined ? WORDS.notText : plain(file.text)}
                  {file.cut ? WORDS.restIsOnSkillsPage : ""}
                </pre>
              </details>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
