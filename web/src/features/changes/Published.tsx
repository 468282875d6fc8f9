import { Download, ExternalLink, GitPullRequestArrow } from "lucide-react";
import { Code } from "@/components/ui/copy";
import type { Change } from "@/features/changes/model";
import { TEXTS } from "@/features/changes/texts";
import type { CodeChangeDetail } from "@/lib/code-changes";
import { line, plain } from "@/lib/format";

const WORDS = TEXTS.published;

/** What came of it: the pull request, or the branch and how to get it. */
export default function Published({ about, published }: { about: CodeChangeDetail; published: NonNullable<Change["published"]> }) {
  // only addresses of the web are followed from here
  const url = published.url && /^https?:\/\//.test(published.url) ? published.url : null;
  const folder = !/^[a-z+]+:\/\/|^[^/]+@/i.test(about.repo_url);
  return (
    <section aria-label={WORDS.published} className="space-y-3 rounded-xl border border-good/40 bg-good-soft px-4 py-3">
      <p className="flex items-center gap-2 font-medium text-good">
        <GitPullRequestArrow aria-hidden className="size-4 shrink-0" />
        {url ? WORDS.pullRequestIsOpen : WORDS.branchIsReady}
      </p>
      {about.summary ? <p className="break-words whitespace-pre-wrap text-ink-2">{plain(about.summary)}</p> : null}
      {url ? (
        <a href={url} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1.5 font-medium break-all text-accent underline underline-offset-2">
          {line(url)} <ExternalLink aria-hidden className="size-4 shrink-0" />
        </a>
      ) : (
        <Code
          text={folder ? `git switch ${line(published.branch)}` : `git fetch origin ${line(published.branch)}\ngit switch ${line(published.branch)}`}
          label={WORDS.copyTheCommand}
        />
      )}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-2">
        <span>
          {WORDS.branch} <code>{line(published.branch)}</code>
        </span>
        <span>
          {WORDS.commit} <code title={published.commit}>{published.commit.slice(0, 12)}</code>
        </span>
        <a href={`/api/changes/${about.id}/patch`} download className="inline-flex items-center gap-1 underline underline-offset-2 hover:text-ink">
          <Download aria-hidden className="size-3.5" /> {WORDS.patch}
        </a>
      </p>
    </section>
  );
}
