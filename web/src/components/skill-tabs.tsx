import { Link } from "@tanstack/react-router";
import { TEXTS } from "@/components/texts";
import { cn } from "@/lib/cn";

const WORDS = TEXTS.skillTabs;

const TABS = [
  ["/skills", "Skills"],
  ["/sessions", "Sessions"],
  ["/skills/queue", "Queue"],
] as const;

/** Skills, what waits to become one, and the sessions that run them. */
export function SkillTabs({ at }: { at: (typeof TABS)[number][0] }) {
  return (
    <nav aria-label={WORDS.skills} className="flex gap-4">
      {TABS.map(([to, label]) => (
        <Link
          key={to}
          to={to}
          aria-current={to === at ? "page" : undefined}
          className={cn("border-b-2 border-transparent py-1 text-base text-ink-3 hover:text-ink", to === at && "border-accent font-semibold text-ink")}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
