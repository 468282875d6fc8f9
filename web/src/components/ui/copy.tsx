import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { TEXTS } from "@/components/ui/texts";
import { cn } from "@/lib/cn";

const WORDS = TEXTS.copy;

interface Props {
  text: string;
  label: string;
  className?: string;
}

export function CopyButton({ text, label, className }: Props) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  }
  return (
    <button
      type="button"
      aria-label={copied ? WORDS.copied : label}
      title={copied ? WORDS.copied : label}
      onClick={() => void copy()}
      className={cn("inline-flex size-7 cursor-pointer items-center justify-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink", className)}
    >
      <Icon aria-hidden className="size-3.5" />
    </button>
  );
}

/** A block of code to copy. */
export function Code({ text, label = WORDS.copyCode }: { text: string; label?: string }) {
  return (
    <div className="flex items-start rounded-lg border border-line bg-sunken">
      <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto px-4 py-3 leading-relaxed">
        {text}
      </pre>
      <CopyButton text={text} label={label} className="m-2 shrink-0" />
    </div>
  );
}
