/** A diff by file, unified or side by side; of however many lines, only those in sight are drawn. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { CodeText } from "@/components/code-text";
import { Button } from "@/components/ui/button";
import { changed, rowsOf, type DiffRow, type Layout } from "@/components/diff/rows";
import { TEXTS } from "@/components/diff/texts";
import { cn } from "@/lib/cn";
import { useColours } from "@/lib/colours/colours";
import { line as oneLine, plain, plural } from "@/lib/format";
import { toggled } from "@/lib/sets";
import { filesOf, type FileDiff, type Line } from "@/lib/hunks";

const WORDS = TEXTS.diffView;

const LINE_PX = 20;
const FILE_PX = 36;
// about as wide as a letter is, for lines that are longer than the box
const LETTER_EM = 0.61;

export default function DiffView({ text }: { text: string }) {
  const files = useMemo(() => filesOf(text), [text]);
  useColours(files);
  const [layout, setLayout] = useState<Layout>("unified");
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => rowsOf(files, layout, folded), [files, layout, folded]);
  const sum = (of: (file: FileDiff) => number) => files.reduce((total, file) => total + of(file), 0);
  const all = files.every((file) => folded.has(file.path));
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-3 py-1.5 text-xs">
        <span className="font-medium">{plural(files.length, "file")}</span>
        <Size added={sum((file) => file.added)} deleted={sum((file) => file.deleted)} />
        <span className="ml-auto flex gap-1">
          {files.length > 1 ? (
            <Button size="sm" tone="ghost" onClick={() => setFolded(new Set(all ? [] : files.map((file) => file.path)))}>
              {all ? WORDS.unfoldAll : WORDS.foldAll}
            </Button>
          ) : null}
          <Button size="sm" tone="ghost" className="max-sm:hidden" aria-pressed={layout === "split"} onClick={() => setLayout(layout === "split" ? "unified" : "split")}>
            {WORDS.sideBySide}
          </Button>
        </span>
      </div>
      <Scrolled rows={rows} onFold={(path) => setFolded((before) => toggled(before, path))} />
    </div>
  );
}

function Scrolled({ rows, onFold }: { rows: DiffRow[]; onFold: (path: string) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (rows[index]?.is === "file" ? FILE_PX : LINE_PX),
    overscan: 30,
    // folding moves what is below
    getItemKey: (index) => `${index} ${rows[index]?.is ?? ""}`,
  });
  const longest = useMemo(() => rows.reduce((most, row) => Math.max(most, lengthOf(row)), 0), [rows]);
  return (
    <div ref={box} className="max-h-[70vh] overflow-auto font-mono text-xs" tabIndex={0} role="group" aria-label={WORDS.diff}>
      <div className="relative min-w-full" style={{ height: virtual.getTotalSize(), width: `calc(${longest * LETTER_EM}em + 7rem)` }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row ? (
            <div key={item.key} className="absolute inset-x-0 top-0" style={{ height: item.size, transform: `translateY(${item.start}px)` }}>
              <Row row={row} onFold={onFold} />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}

function lengthOf(row: DiffRow): number {
  switch (row.is) {
    case "line":
      return row.line.text.length;
    case "pair":
      return 2 * Math.max(row.left?.text.length ?? 0, row.right?.text.length ?? 0) + 8;
    case "note":
      return row.text.length;
    default:
      return 0;
  }
}

function Row({ row, onFold }: { row: DiffRow; onFold: (path: string) => void }) {
  switch (row.is) {
    case "file":
      return <FileHead file={row.file} folded={row.folded} onFold={() => onFold(row.file.path)} />;
    case "hunk":
      return <div className="h-full bg-sunken px-3 leading-5 whitespace-pre text-ink-3">{oneLine(row.header)}</div>;
    case "note":
      return <div className="h-full px-3 leading-5 whitespace-pre text-high">{plain(row.text)}</div>;
    case "line":
      return (
        <div className={cn("flex h-full leading-5", LOOK[row.line.kind])}>
          <Number of={row.line.old} className="max-sm:hidden" />
          <Number of={row.line.new ?? (row.line.kind === "-" ? row.line.old : null)} className={row.line.kind === "-" ? "sm:invisible" : ""} />
          <Text line={row.line} other={row.other} />
        </div>
      );
    case "pair":
      return (
        <div className="flex h-full leading-5">
          <Side line={row.left} other={row.right} number={row.left?.old ?? null} />
          <Side line={row.right} other={row.left} number={row.right?.new ?? null} />
        </div>
      );
  }
}

function Side({ line, other, number }: { line: Line | null; other: Line | null; number: number | null }) {
  return (
    <div className={cn("flex w-1/2 overflow-hidden border-r border-line last:border-r-0", line ? LOOK[line.kind] : "bg-sunken")}>
      {line ? (
        <>
          <Number of={number} />
          <Text line={line} other={other === line ? null : other} />
        </>
      ) : null}
    </div>
  );
}

const LOOK: Record<Line["kind"], string> = {
  "+": "bg-good-soft",
  "-": "bg-critical-soft",
  " ": "",
  "\\": "text-ink-3 italic",
};
// what differs within a line: underlined as well as darker
const MARKS: Partial<Record<Line["kind"], string>> = { "+": "bg-good/25 underline underline-offset-2", "-": "bg-critical/25 underline underline-offset-2" };

function Number({ of, className }: { of: number | null; className?: string }) {
  return <span className={cn("w-12 shrink-0 px-2 text-right text-ink-3 select-none", className)}>{of ?? ""}</span>;
}

function Text({ line, other }: { line: Line; other: Line | null }) {
  const [before, within] = changed(line.text, other?.text ?? null);
  return (
    <>
      <span className={cn("w-4 shrink-0 select-none", line.kind === "+" ? "text-good" : line.kind === "-" ? "text-critical" : "")}>{line.kind === " " ? "" : line.kind === "-" ? "−" : line.kind}</span>
      <span className="whitespace-pre">
        <CodeText line={line} differs={[before.length, before.length + within.length]} look={MARKS[line.kind]} />
      </span>
    </>
  );
}

function FileHead({ file, folded, onFold }: { file: FileDiff; folded: boolean; onFold: () => void }) {
  const Icon = folded ? ChevronRight : ChevronDown;
  return (
    <div className="sticky left-0 flex h-full w-fit max-w-full items-center border-y border-line bg-surface">
      <button type="button" aria-expanded={!folded} onClick={onFold} className="flex h-full min-w-0 cursor-pointer items-center gap-2 px-2 text-left">
        <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
        <span className="truncate font-medium">{oneLine(file.path) || WORDS.noName}</span>
        {file.status === "modified" ? null : (
          <span className="shrink-0 font-sans text-ink-3">
            {file.status}
            {file.from ? WORDS.from(oneLine(file.from)) : ""}
          </span>
        )}
        <Size added={file.added} deleted={file.deleted} />
      </button>
    </div>
  );
}

function Size({ added, deleted }: { added: number; deleted: number }) {
  return (
    <span className="shrink-0 font-mono text-xs whitespace-nowrap">
      <span className="text-good">+{added.toLocaleString("en")}</span> <span className="text-critical">−{deleted.toLocaleString("en")}</span>
    </span>
  );
}
