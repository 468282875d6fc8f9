/** A line of code in the colours of its language, with what differs from its other version marked. */
import { cn } from "@/lib/cn";
import { coloursOf } from "@/lib/colours/colours";
import { pieces, type Mark } from "@/lib/colours/spans";
import { plain } from "@/lib/format";
import type { Line } from "@/lib/hunks";

const LOOK: Record<Mark, string> = {
  comment: "text-code-comment italic",
  keyword: "text-code-keyword",
  string: "text-code-string",
  number: "text-code-number",
  name: "text-code-name",
  type: "text-code-type",
};
const NOTHING = [0, 0] as const;

interface Props {
  line: Line;
  differs?: readonly [number, number];
  /** Of what differs. */
  look?: string | undefined;
}

export function CodeText({ line, differs = NOTHING, look }: Props) {
  const spans = coloursOf(line);
  // signs that join must stay together to be seen as what they are
  if ((spans.length === 0 && differs === NOTHING) || /[\u200C\u200D]/.test(line.text)) return plain(line.text);
  return pieces(line.text, spans, differs).map((piece, index) => {
    const style = cn(piece.mark && LOOK[piece.mark], piece.differs && look);
    return style ? (
      <span key={index} className={style}>
        {plain(piece.text)}
      </span>
    ) : (
      plain(piece.text)
    );
  });
}
