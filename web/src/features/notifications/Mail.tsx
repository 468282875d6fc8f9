import { TEXTS } from "@/features/notifications/texts";

const WORDS = TEXTS.mail;
/** A mail, its HTML in a frame that may do nothing. */
export function Mail({ message }: { message: Record<string, unknown> }) {
  return (
    <div className="overflow-hidden rounded-lg border border-[#ddd] bg-white text-[#1d1d1f]">
      <p className="border-b border-[#eee] px-4 py-2 font-semibold break-words">{String(message.subject)}</p>
      <iframe title={WORDS.theMail} sandbox="" srcDoc={String(message.html)} className="h-96 w-full bg-white" />
    </div>
  );
}
