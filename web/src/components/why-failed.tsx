import type { ReactNode } from "react";
import { Section } from "@/components/section";
import { TEXTS } from "@/components/texts";
import { Notice } from "@/components/ui/notice";
import { line, plain } from "@/lib/format";
import { failure } from "@/lib/run-wording";

const WORDS = TEXTS.whyFailed;

/** What went wrong, where, and what to do about it. */
export function WhyFailed({ error, children }: { error: unknown; children: ReactNode }) {
  const failed = failure(error);
  if (!failed) return null;
  return (
    <Section title={WORDS.whyItFailed}>
      <Notice tone="error" title={failed.message}>
        <p>
          {failed.node ? <>{WORDS.step} <code>{line(failed.node)}</code>{WORDS.code} <code>{failed.code}</code>. </> : <>{WORDS.codeOf} <code>{failed.code}</code>. </>}
          {children}
        </p>
      </Notice>
      {failed.traceback ? (
        <details>
          <summary className="cursor-pointer text-ink-3">{WORDS.traceback}</summary>
          <pre tabIndex={0} aria-label={WORDS.traceback} className="mt-2 max-h-80 overflow-auto rounded-lg border border-line bg-sunken px-4 py-3 text-xs leading-5">
            {plain(failed.traceback)}
          </pre>
        </details>
      ) : null}
    </Section>
  );
}
