import { Check, CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

const TONES = {
  info: { look: "bg-sunken text-ink", icon: Info },
  good: { look: "bg-good-soft text-good", icon: Check },
  warning: { look: "bg-high-soft text-high", icon: TriangleAlert },
  error: { look: "bg-critical-soft text-critical", icon: CircleAlert },
};

interface Props {
  tone?: keyof typeof TONES;
  title: ReactNode;
  /** Where it is all that its page says. */
  heading?: boolean;
  children?: ReactNode;
  className?: string;
}

/** The server writes commands and names of fields between backticks. */
function withCode(text: string): ReactNode {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));
}

/** Says what happened, what is safe, and what to do. Errors are announced. */
export function Notice({ tone = "info", title, heading, children, className }: Props) {
  const Title = heading ? "h1" : "p";
  const { look, icon: Icon } = TONES[tone];
  return (
    <div role={tone === "error" ? "alert" : "status"} className={cn("flex gap-3 rounded-lg px-4 py-3", look, className)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 space-y-1">
        <Title className="font-medium">{typeof title === "string" ? withCode(title) : title}</Title>
        {children ? <div className="text-ink-2">{children}</div> : null}
      </div>
    </div>
  );
}
