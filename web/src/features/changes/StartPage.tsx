/** Start a change: what should be different, and where. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, FolderGit2, Globe } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { repositoriesQuery, useStart } from "@/features/changes/api";
import { issueIn } from "@/features/changes/issues";
import { TEXTS } from "@/features/changes/texts";
import { problemFrom, type Schemas } from "@/lib/api";
import { repositoryName } from "@/lib/change-holds";
import { useDraft } from "@/lib/drafts";
import { line, plural } from "@/lib/format";

const WORDS = TEXTS.startPage;

const LONGEST = 20_000;

interface Draft {
  message: string;
  repo_url: string;
  base_branch: string;
  draft: boolean;
}

export function StartPage() {
  const navigate = useNavigate();
  const starting = useStart();
  const repositories = useQuery(repositoriesQuery);
  const [given, setGiven, drop] = useDraft<Draft>("change", { message: "", repo_url: "", base_branch: "", draft: false });
  // the same input pressed twice is one change
  const last = useRef({ body: "", key: "" });
  const ready = given.message.trim() !== "" && given.message.length <= LONGEST && given.repo_url.trim() !== "";

  function start() {
    if (!ready || starting.isPending) return;
    const body = {
      message: given.message.trim(),
      repo_url: given.repo_url.trim(),
      ...(given.base_branch.trim() ? { base_branch: given.base_branch.trim() } : {}),
      ...(given.draft ? { draft: true } : {}),
    };
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: `${Date.now()}-${Math.random()}` };
    starting.mutate(
      { body, key: last.current.key },
      {
        onSuccess: (change) => {
          drop();
          void navigate({ to: "/changes/$changeId", params: { changeId: change.id } });
        },
      },
    );
  }

  return (
    <div className="h-full overflow-y-auto bg-panel" tabIndex={-1}>
      <div className="mx-auto max-w-2xl space-y-6 px-4 py-6 sm:px-8">
        <Link to="/changes" className="inline-flex items-center gap-2 text-ink-2 hover:text-ink">
          <ArrowLeft aria-hidden className="size-4" /> {WORDS.changes}
        </Link>
        <h1 className="text-xl font-semibold">{WORDS.startAChange}</h1>
        <form
          className="space-y-6"
          onSubmit={(event) => {
            event.preventDefault();
            start();
          }}
        >
          <Field
            label={WORDS.whatShouldBeDifferent}
            hint={WORDS.aSentence}
            error={given.message.length > LONGEST ? WORDS.thisHasCharacters(given.message.length.toLocaleString("en"), LONGEST.toLocaleString("en")) : null}
          >
            {(props) => (
              <TextArea
                {...props}
                autoFocus
                rows={5}
                value={given.message}
                placeholder={WORDS.roundPricesToNearestCent}
                onChange={(event) => setGiven({ ...given, message: event.target.value })}
                onPaste={(event) => {
                  const found = issueIn(event.clipboardData.getData("text"));
                  // an issue's address names its repository
                  if (found && given.repo_url.trim() === "") setGiven({ ...given, message: `${given.message}${event.clipboardData.getData("text")}`, repo_url: found });
                  if (found && given.repo_url.trim() === "") event.preventDefault();
                }}
                onKeyDown={(event) => {
                  if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.repeat) start();
                }}
              />
            )}
          </Field>
          <Where given={given.repo_url} known={repositories.data} onPick={(repo_url) => setGiven({ ...given, repo_url })} />
          <details>
            <summary className="cursor-pointer text-ink-2 marker:text-ink-3">{WORDS.branchAndPullRequest}</summary>
            <div className="mt-3 space-y-4">
              <Field label={WORDS.baseBranch} hint={WORDS.repositorysOwnDefaultBranchIf}>
                {(props) => <Input {...props} value={given.base_branch} onChange={(event) => setGiven({ ...given, base_branch: event.target.value })} />}
              </Field>
              <label className="flex w-fit items-center gap-2">
                <input type="checkbox" className="size-4 accent-accent" checked={given.draft} onChange={(event) => setGiven({ ...given, draft: event.target.checked })} />
                {WORDS.openPullRequestAsDraft}
              </label>
            </div>
          </details>
          {starting.isError ? <Notice tone="error" title={problemFrom(starting.error).message} /> : null}
          <div className="flex items-center gap-3">
            <Button type="submit" tone="accent" size="lg" disabled={!ready || starting.isPending}>
              {starting.isPending ? WORDS.starting : WORDS.start} <Kbd>⌘↵</Kbd>
            </Button>
            <p className="text-xs text-ink-3">{WORDS.nothingIsEditedBeforePlan}</p>
          </div>
        </form>
      </div>
    </div>
  );
}

interface WhereProps {
  given: string;
  known: Schemas["RepositoryList"] | undefined;
  onPick: (address: string) => void;
}

const MOST = 8;

/** A repository from the list, or by its address. */
function Where({ given, known, onPick }: WhereProps) {
  const [all, setAll] = useState(false);
  const every = known?.repositories ?? [];
  const shown = all ? every : every.slice(0, MOST);
  return (
    <div className="space-y-3">
      <Field label={WORDS.repository} hint={hint(known)}>
        {(props) => (
          <Input
            {...props}
            className="font-mono text-xs"
            value={given}
            placeholder={WORDS.https}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => onPick(event.target.value)}
          />
        )}
      </Field>
      {shown.length > 0 ? (
        <fieldset>
          <legend className="sr-only">{WORDS.repositoriesYouKnow}</legend>
          <div className="grid gap-1.5 sm:grid-cols-2">
            {shown.map((one) => (
              <label key={one.repo_url} className="flex cursor-pointer items-center gap-3 rounded-lg border border-line px-3 py-2 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent">
                <input type="radio" name="repository" className="sr-only" checked={given.trim() === one.repo_url} onChange={() => onPick(one.repo_url)} />
                {one.repo_url.includes("://") || /^[^/]+@/.test(one.repo_url) ? <Globe aria-hidden className="size-4 shrink-0 text-ink-3" /> : <FolderGit2 aria-hidden className="size-4 shrink-0 text-ink-3" />}
                <span className="min-w-0">
                  <span className="block truncate font-medium">{repositoryName(one.repo_url)}</span>
                  <span className="block truncate text-xs text-ink-3" title={line(one.repo_url)}>
                    {one.newest ? (
                      <>
                        {plural(one.changes, "change")}, <Ago at={one.newest} />
                      </>
                    ) : (
                      line(one.repo_url)
                    )}
                  </span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      ) : null}
      {every.length > shown.length ? (
        <Button size="sm" onClick={() => setAll(true)}>
          {WORDS.showAll(every.length)}
        </Button>
      ) : null}
    </div>
  );
}

function hint(known: Schemas["RepositoryList"] | undefined): string {
  const ways = [WORDS.anHttpsAddress, ...(known?.ssh ? [WORDS.anSshAddress] : []), ...(known && known.roots.length > 0 ? [WORDS.aFolderUnder(known.roots.join(" or "))] : [])];
  return `${known && known.repositories.length > 0 ? WORDS.pickOneBelowOrPaste : "Paste "}${ways.join(", or ")}.`;
}
