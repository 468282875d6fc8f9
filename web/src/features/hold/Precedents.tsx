import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ago } from "@/components/ui/time";
import { precedentsQuery } from "@/features/hold/api";
import { Section } from "@/components/section";
import { plural, value } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { headline, outcome } from "@/lib/wording";

const SHOWN = 5;

/** How the same action was decided before. */
export default function Precedents({ hold }: { hold: Hold }) {
  const found = useQuery(precedentsQuery(hold)).data;
  if (!found) return null;
  const count = (status: string) => found.filter((one) => one.status === status).length;
  const parts = (["approved", "rejected", "answered"] as const).filter((each) => count(each) > 0).map((each) => `${count(each)} ${each}`);
  return (
    <Section title="Precedents" note={parts.join(", ") || "none: this action has not been decided before"}>
      {found.length === 0 ? null : (
        <ul className="divide-y divide-line">
          {found.slice(0, SHOWN).map((one) => (
            <li key={one.id} className="py-1.5">
              <Link to="/holds/$holdId" params={{ holdId: one.id }} className="font-medium hover:underline">
                {headline(one)}
              </Link>
              <p className="text-xs text-ink-3">
                {one.decision ? outcome(one.decision) : null} <Ago at={one.decision?.at ?? one.opened_at} />
                {one.decision?.reason ? `: “${value(one.decision.reason)}”` : ""}
              </p>
            </li>
          ))}
        </ul>
      )}
      {found.length > SHOWN ? <p className="text-xs text-ink-3">and {plural(found.length - SHOWN, "older one")}</p> : null}
    </Section>
  );
}
