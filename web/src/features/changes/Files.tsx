/** What changes, file by file and hunk by hunk. At the review of the result, hunks can be left out and lines remarked on. */
import { FileMinus2, FilePen, FilePlus2, FileSymlink, MessageSquarePlus, X, type LucideIcon } from "lucide-react";
import { useMemo, useState } from "react";
import { CodeText } from "@/components/code-text";
import { Button } from "@/components/ui/button";
import { Field, Select, TextArea } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Ago } from "@/components/ui/time";
import { isLeftOut, toggled } from "@/features/changes/hunks";
import type { Edit, FileDiff } from "@/features/changes/model";
import type { Remark, Reviewing } from "@/features/changes/reviewing";
import { TEXTS } from "@/features/changes/texts";
import { cn } from "@/lib/cn";
import { useColours } from "@/lib/colours/colours";
import { line as oneLine, plain, plural } from "@/lib/format";
import { hunksOf, type Hunk, type Line } from "@/lib/hunks";

const WORDS = TEXTS.files;

interface Props {
  files: FileDiff[] | null;
  edits: Edit[];
  review: Reviewing | null;
  /** Nothing more will come. */
  ended: boolean;
}

export default function FilesView({ files, edits, review, ended }: Props) {
  if (!files && edits.length === 0) {
    return <p className="text-ink-3">{ended ? WORDS.itEndedBeforeAnythingWas : WORDS.nothingHasBeenEditedYet}</p>;
  }
  return (
    <div className="space-y-6">
      {files ? <Whole files={files} review={review} /> : null}
      {edits.length > 0 ? (
        <section aria-label={WORDS.edits} className="space-y-3">
          <h2 className="font-semibold">{files ? WORDS.editedSinceLastTest : WORDS.editsSoFar}</h2>
          {edits.map((edit) => (
            <Edited key={edit.seq} edit={edit} />
          ))}
        </section>
      ) : null}
    </div>
  );
}

function Whole({ files, review }: { files: FileDiff[]; review: Reviewing | null }) {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const deleted = files.reduce((sum, file) => sum + file.deleted, 0);
  return (
    <section aria-label={WORDS.files} className="space-y-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium">{plural(files.length, "file")}</span>
        <Size added={added} deleted={deleted} />
        {review?.open ? <span className="text-ink-3">{WORDS.untickWhatShouldNotBe}</span> : null}
      </p>
      {files.map((file) => (
        <File key={file.path} file={file} review={review} />
      ))}
    </section>
  );
}

function Size({ added, deleted }: { added: number; deleted: number }) {
  return (
    <span className="font-mono text-xs whitespace-nowrap">
      <span className="text-good">+{added}</span> <span className="text-critical">−{deleted}</span>
    </span>
  );
}

const ICON: Record<string, LucideIcon> = { added: FilePlus2, deleted: FileMinus2, renamed: FileSymlink };

function File({ file, review }: { file: FileDiff; review: Reviewing | null }) {
  const Icon = ICON[file.status] ?? FilePen;
  const hunks = useHunks(file.path, file.diff, file.hunks);
  const out = review ? isLeftOut(review.leftOut, file.path, null) : false;
  const toggle = (hunk: string | null) => review?.setLeftOut(toggled(review.leftOut, file.path, hunk, file.hunks));
  return (
    <article aria-label={oneLine(file.path)} className="overflow-hidden rounded-lg border border-line">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-3 py-2">
        {review?.open ? <Include label={WORDS.include(oneLine(file.path))} included={!out} onToggle={() => toggle(null)} /> : null}
        <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
        <code className={cn("min-w-0 font-medium break-all", out && "text-ink-3 line-through")}>{oneLine(file.path)}</code>
        {file.status === "modified" ? null : (
          <span className="text-xs text-ink-3">
            {file.status}
            {file.status === "renamed" ? WORDS.from(oneLine(file.old_path)) : ""}
          </span>
        )}
        <span className="ml-auto">
          <Size added={file.added} deleted={file.deleted} />
        </span>
      </header>
      {out ? (
        <p className="px-3 py-2 text-ink-3">{WORDS.leftOut}</p>
      ) : file.binary ? (
        <p className="px-3 py-2 text-ink-3">{WORDS.aBinaryFile}</p>
      ) : file.too_long ? (
        <p className="px-3 py-2 text-ink-3">{WORDS.tooLongToBeShown}</p>
      ) : (
        hunks.map((hunk, index) => (
          <Shown key={hunk.id ?? index} hunk={hunk} path={file.path} review={review} single={file.hunks.length < 2} onToggle={() => toggle(hunk.id)} />
        ))
      )}
    </article>
  );
}

const NO_IDS: string[] = [];

/** Read once, and in the colours of its language as soon as they have come. */
function useHunks(path: string, diff: string, ids: readonly string[] = NO_IDS): Hunk[] {
  const files = useMemo(() => [{ path, hunks: hunksOf(diff, ids) }], [path, diff, ids]);
  useColours(files);
  return files[0]?.hunks ?? [];
}

function Include({ label, included, onToggle }: { label: string; included: boolean; onToggle: () => void }) {
  return <input type="checkbox" aria-label={label} title={label} className="size-4 shrink-0 accent-accent" checked={included} onChange={onToggle} />;
}

interface ShownProps {
  hunk: Hunk;
  path: string;
  review: Reviewing | null;
  /** The only one of its file: it goes with the file. */
  single: boolean;
  onToggle: () => void;
}

function Shown({ hunk, path, review, single, onToggle }: ShownProps) {
  const [at, setAt] = useState<number | null>(null);
  const out = review !== null && hunk.id !== null && isLeftOut(review.leftOut, path, hunk.id);
  const remarks = review?.remarks.filter((one) => one.path === path) ?? [];
  const lines = hunk.lines.flatMap((line) => (line.new ?? line.old) === null ? [] : [(line.new ?? line.old) as number]);
  return (
    <section aria-label={hunk.header}>
      <div className="flex items-center gap-3 bg-sunken px-3 py-1 text-xs text-ink-3">
        {review?.open && !single ? <Include label={WORDS.includeHunk(hunk.header)} included={!out} onToggle={onToggle} /> : null}
        <code className="min-w-0 flex-1 truncate">{oneLine(hunk.header)}</code>
        {out ? <span className="text-high">{WORDS.hunkLeftOut}</span> : null}
        {review?.open && !out ? (
          <button type="button" className="inline-flex cursor-pointer items-center gap-1 hover:text-ink" onClick={() => setAt(at === null ? (lines[0] ?? 1) : null)}>
            <MessageSquarePlus aria-hidden className="size-3.5" /> {WORDS.comment}
          </button>
        ) : null}
      </div>
      <div className={cn("overflow-x-auto", out && "line-through grayscale")} tabIndex={0} role="group" aria-label={WORDS.linesOf(oneLine(path))}>
        <table className="w-full border-collapse font-mono text-xs leading-5">
          <tbody>
            {hunk.lines.map((line, index) => (
              <Row key={index} line={line} remarks={remarks.filter((one) => isAt(one, line))} onPick={review?.open && !out ? setAt : null} review={review} />
            ))}
          </tbody>
        </table>
      </div>
      {at !== null && review ? (
        <RemarkForm
          lines={lines}
          at={at}
          onAt={setAt}
          onSave={(text) => {
            review.setRemarks([...review.remarks, { path, line: at, text }]);
            setAt(null);
          }}
          onClose={() => setAt(null)}
        />
      ) : null}
    </section>
  );
}

function isAt(remark: Remark, line: Line): boolean {
  return line.kind !== "-" ? remark.line === line.new : false;
}

const LOOK: Record<Line["kind"], string> = {
  "+": "bg-good-soft",
  "-": "bg-critical-soft",
  " ": "",
  "\\": "text-ink-3 italic",
};

interface RowProps {
  line: Line;
  remarks: Remark[];
  onPick: ((line: number) => void) | null;
  review: Reviewing | null;
}

function Row({ line, remarks, onPick, review }: RowProps) {
  const pick = onPick && line.new !== null ? () => onPick(line.new as number) : null;
  return (
    <>
      <tr className={LOOK[line.kind]}>
        <td className="w-10 min-w-10 px-2 text-right text-ink-3 select-none max-sm:hidden">{line.old ?? ""}</td>
        <td className="w-10 min-w-10 px-2 text-right text-ink-3 select-none">
          {pick ? (
            // by mouse; the button of the hunk is the way by keyboard
            <button type="button" tabIndex={-1} className="cursor-pointer hover:text-accent hover:underline" title={WORDS.commentOnLine(line.new ?? "")} onClick={pick}>
              {line.new}
            </button>
          ) : (
            (line.new ?? "")
          )}
        </td>
        <td className={cn("w-4 select-none", line.kind === "+" ? "text-good" : line.kind === "-" ? "text-critical" : "")}>{line.kind === " " ? "" : line.kind === "-" ? "−" : line.kind}</td>
        <td className="pr-4 whitespace-pre">{line.text === "" ? " " : <CodeText line={line} />}</td>
      </tr>
      {remarks.map((remark) => (
        <tr key={remark.text}>
          <td colSpan={4} className="bg-accent-soft px-4 py-2 font-sans text-sm">
            <span className="flex items-start justify-between gap-3">
              <span className="break-words whitespace-pre-wrap">{plain(remark.text)}</span>
              <button type="button" aria-label={WORDS.removeThisComment} className="cursor-pointer text-ink-3 hover:text-ink" onClick={() => review?.setRemarks(review.remarks.filter((one) => one !== remark))}>
                <X aria-hidden className="size-4" />
              </button>
            </span>
          </td>
        </tr>
      ))}
    </>
  );
}

interface FormProps {
  lines: number[];
  at: number;
  onAt: (line: number) => void;
  onSave: (text: string) => void;
  onClose: () => void;
}

function RemarkForm({ lines, at, onAt, onSave, onClose }: FormProps) {
  const [text, setText] = useState("");
  const save = () => text.trim() !== "" && onSave(text);
  return (
    <form
      data-escape
      className="grid gap-3 border-t border-line bg-surface p-3 sm:grid-cols-[8rem_1fr]"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.repeat) save();
      }}
    >
      <Field label={WORDS.line}>
        {(props) => (
          <Select {...props} value={at} onChange={(event) => onAt(Number(event.target.value))}>
            {[...new Set(lines)].map((line) => (
              <option key={line} value={line}>
                {line}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={WORDS.commentForAgent}>{(props) => <TextArea {...props} autoFocus rows={2} value={text} onChange={(event) => setText(event.target.value)} />}</Field>
      <div className="flex gap-2 sm:col-start-2">
        <Button type="submit" size="sm" disabled={text.trim() === ""}>
          {WORDS.addComment} <Kbd>⌘↵</Kbd>
        </Button>
        <Button tone="ghost" size="sm" onClick={onClose}>
          {WORDS.cancel}
        </Button>
      </div>
    </form>
  );
}

function Edited({ edit }: { edit: Edit }) {
  const hunks = useHunks(edit.path, edit.diff);
  return (
    <article aria-label={oneLine(edit.path)} className="overflow-hidden rounded-lg border border-line">
      <header className="flex items-center gap-3 border-b border-line bg-surface px-3 py-2">
        <FilePen aria-hidden className="size-4 shrink-0 text-ink-3" />
        <code className="min-w-0 flex-1 font-medium break-all">{oneLine(edit.path)}</code>
        <span className="text-xs text-ink-3">
          <Ago at={edit.at} />
        </span>
      </header>
      {hunks.map((hunk, index) => (
        <Shown key={index} hunk={hunk} path={edit.path} review={null} single onToggle={() => undefined} />
      ))}
      {edit.truncated ? <p className="px-3 py-2 text-ink-3">{WORDS.onlyBeginningIsShown}</p> : null}
    </article>
  );
}
