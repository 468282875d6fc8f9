import { plain } from "@/lib/format";

const CODE = /`([^`\n]+)`/;

/** Text in which names stand between backticks. */
export function Coded({ text }: { text: string }) {
  return plain(text)
    .split(CODE)
    .map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece));
}
