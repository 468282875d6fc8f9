/** A unified diff with its added and removed lines marked by sign, colour and position. */
import { cn } from "@/lib/cn";

export function looksLikeDiff(text: string): boolean {
  return /^(diff --git |--- \S)/m.test(text) && /^@@ /m.test(text);
}

const LOOK: Record<string, string> = {
  "+": "bg-good-soft text-good",
  "-": "bg-critical-soft text-critical",
  "@": "text-ink-3 bg-sunken",
};

export function DiffText({ text }: { text: string }) {
  return (
    <pre tabIndex={0} aria-label="Diff" className="max-h-96 overflow-auto rounded-lg border border-line py-2 text-xs leading-5">
      {text.split("\n").map((line, index) => {
        const header = line.startsWith("+++") || line.startsWith("---") || line.startsWith("diff ");
        return (
          <span key={index} className={cn("block min-w-max px-3", header ? "font-semibold" : LOOK[line[0] ?? ""])}>
            {line || " "}
          </span>
        );
      })}
    </pre>
  );
}
