import { TEXTS } from "@/features/notifications/texts";

const WORDS = TEXTS.slackMessage;
/** A Block Kit message, drawn as Slack draws it, as far as we use it. Text is only ever text. */
interface Text {
  type: string;
  text: string;
}

interface Block {
  type: string;
  text?: Text;
  fields?: Text[];
  elements?: Element[];
}

interface Element {
  type: string;
  // of a button it is an object, of a context element a string
  text?: Text | string;
  style?: string;
  elements?: { text: string }[];
}

export function SlackMessage({ message }: { message: Record<string, unknown> }) {
  return (
    <div className="flex gap-2 rounded-lg border border-[#ddd] bg-white p-4 font-sans text-[15px] leading-snug text-[#1d1c1d]">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded bg-[#1f2937] font-semibold text-white">
        H
      </span>
      <div className="min-w-0 flex-1 space-y-2">
        <p>
          <span className="font-bold">{WORDS.handrail}</span> <span className="rounded bg-[#e8e8e8] px-1 text-[10px] font-bold text-[#616061]">{WORDS.app}</span>
        </p>
        {(message.blocks as Block[]).map((block, at) => (
          <Drawn key={at} block={block} />
        ))}
      </div>
    </div>
  );
}

function Drawn({ block }: { block: Block }) {
  switch (block.type) {
    case "header":
      return <p className="text-lg font-bold break-words">{block.text?.text}</p>;
    case "section":
      return block.fields ? (
        <div className="grid gap-x-4 sm:grid-cols-2 gap-y-1">
          {block.fields.map((field, at) => (
            <p key={at} className="break-words">
              <Words text={field} />
            </p>
          ))}
        </div>
      ) : (
        <p className="break-words whitespace-pre-wrap">{block.text ? <Words text={block.text} /> : null}</p>
      );
    case "rich_text":
      return (
        <pre className="rounded border border-[#ddd] bg-[#f8f8f8] p-2 font-mono text-xs break-words whitespace-pre-wrap">
          {block.elements?.map((part) => part.elements?.map((one) => one.text).join("")).join("\n")}
        </pre>
      );
    case "context":
      return <p className="text-xs break-words text-[#616061]">{block.elements?.map((one) => (typeof one.text === "string" ? one.text : one.text?.text)).join(" ")}</p>;
    case "actions":
      return (
        <div className="flex flex-wrap gap-2">
          {block.elements?.map((one, at) => (
            <span key={at} className={`rounded border px-3 py-1 text-sm font-bold ${LOOKS[one.style ?? ""] ?? "border-[#bbb] bg-white"}`}>
              {typeof one.text === "string" ? one.text : one.text?.text}
            </span>
          ))}
        </div>
      );
    default:
      return null;
  }
}

const LOOKS: Record<string, string> = { primary: "border-[#007a5a] bg-[#007a5a] text-white", danger: "border-[#e01e5a] bg-white text-[#e01e5a]" };

/** Of Slack's markup only what our own words have: bold, and a moment with its plain form. */
function Words({ text }: { text: Text }) {
  if (text.type !== "mrkdwn") return text.text;
  const plain = text.text.replace(/<!date\^\d+\^[^|>]*\|([^>]*)>/g, "$1");
  return plain
    .split(/(\*[^*]+\*)/)
    .map((part, at) => (part.startsWith("*") && part.endsWith("*") && part.length > 2 ? <b key={at}>{unescaped(part.slice(1, -1))}</b> : unescaped(part)));
}

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
