import { TEXTS } from "@/features/notifications/texts";

const WORDS = TEXTS.pushNote;
/** A notification as a phone shows it. */
export function PushNote({ message }: { message: Record<string, unknown> }) {
  return (
    <div className="max-w-sm rounded-2xl border border-[#ddd] bg-[#f5f5f7] p-4 font-sans text-[#1d1d1f]">
      <p className="text-xs text-[#6e6e73]">{WORDS.handrail}</p>
      <p className="font-semibold break-words">{String(message.title)}</p>
      <p className="text-sm break-words whitespace-pre-line">{String(message.body)}</p>
    </div>
  );
}
