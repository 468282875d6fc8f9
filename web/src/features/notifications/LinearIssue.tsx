/** An issue of Linear, with the few marks of Markdown that we use. Text is only ever text. */
import type { ReactNode } from "react";
import { TEXTS } from "@/features/notifications/texts";

const WORDS = TEXTS.linearIssue;

const STATES: Record<string, string> = { unstarted: "Todo", completed: "Done", canceled: "Canceled" };
const PRIORITIES = [WORDS.noPriority, "Urgent", "High", "Medium", "Low"];

export function LinearIssue({ message }: { message: Record<string, unknown> }) {
  return (
    <article className="space-y-3 rounded-lg border border-[#e0e0e0] bg-white p-5 font-sans text-[15px] leading-relaxed text-[#282a30]">
      <h3 className="text-lg font-semibold break-words">{String(message.title)}</h3>
      <p className="flex gap-2 text-xs text-[#6b6f76]">
        <span className="rounded-full border border-[#d8d9dd] px-2 py-0.5">{STATES[String(message.state)] ?? String(message.state)}</span>
        <span className="rounded-full border border-[#d8d9dd] px-2 py-0.5">{PRIORITIES[Number(message.priority)]}</span>
      </p>
      {blocks(String(message.description))}
    </article>
  );
}

/** Paragraphs, lists and fences. */
function blocks(text: string): ReactNode[] {
  const lines = text.split("\n");
  const made: ReactNode[] = [];
  for (let at = 0; at < lines.length; at++) {
    const fence = /^`{3,}$/.exec(lines[at] ?? "")?.[0];
    if (fence) {
      const end = lines.indexOf(fence, at + 1);
      made.push(
        <pre key={at} className="rounded border border-[#e6e6e8] bg-[#f7f7f8] p-2 font-mono text-xs break-words whitespace-pre-wrap">
          {lines.slice(at + 1, end < 0 ? undefined : end).join("\n")}
        </pre>,
      );
      if (end < 0) break;
      at = end;
    } else if (lines[at]?.startsWith("- ")) {
      made.push(
        <p key={at} className="pl-4">
          • {inline(lines[at]?.slice(2) ?? "")}
        </p>,
      );
    } else if (lines[at]) {
      made.push(
        <p key={at} className="break-words">
          {inline(lines[at] ?? "")}
        </p>,
      );
    }
  }
  return made;
}

function inline(text: string): ReactNode[] {
  return text.split(/((?<!\\)\*\*.*?(?<!\\)\*\*)/).map((part, at) => {
    if (!part.startsWith("**")) return plain(part);
    const link = /^\*\*\[(.*)\]\(.*\)\*\*$/.exec(part);
    return link ? (
      <span key={at} className="font-semibold text-[#4b5bd6] underline">
        {plain(link[1] ?? "")}
      </span>
    ) : (
      <b key={at}>{plain(part.slice(2, -2))}</b>
    );
  });
}

function plain(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
}
