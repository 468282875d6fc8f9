/** What was changed in what is decided, since it was asked for. */
import { useQuery } from "@tanstack/react-query";
import { Changes } from "@/components/changes";
import { Section } from "@/components/section";
import { TEXTS } from "@/components/texts";
import { Ago } from "@/components/ui/time";
import { amendmentsOf, eventsQuery } from "@/lib/amendments";
import type { Hold } from "@/lib/holds";

const WORDS = TEXTS.amendments;

export default function Amendments({ hold }: { hold: Hold }) {
  const found = amendmentsOf(useQuery(eventsQuery(hold.id)).data ?? []);
  if (found.length === 0) return null;
  return (
    <Section title={WORDS.whatWasAmended} note={WORDS.thisIsRevision(hold.revision)}>
      <ul className="space-y-2">
        {found.map((one) => (
          <li key={one.revision} className="space-y-1">
            <p className="text-ink-2">
              {one.by}, <Ago at={one.at} />
            </p>
            <Changes of={one.changes} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
