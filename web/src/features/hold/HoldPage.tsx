/** One hold: loads it, and keeps what was seen apart from what it has become. */
import { useQuery } from "@tanstack/react-query";
import { linkOptions, useParams, useSearch } from "@tanstack/react-router";
import { Beside, Fetched } from "@/components/desk";
import { Pack } from "@/features/hold/Pack";
import { TEXTS } from "@/features/hold/texts";
import { holdQuery } from "@/lib/holds";

const WORDS = TEXTS.holdPage;

export function HoldPage() {
  const { holdId } = useParams({ from: "/shell/desk/holds/$holdId" });
  const filters = useSearch({ from: "/shell/desk" });
  const hold = useQuery(holdQuery(holdId));
  return (
    <Beside back={linkOptions({ to: "/inbox", search: filters })} name="Inbox">
      <Fetched query={hold} what={WORDS.theHold}>
        {/* drafts, modes and what was seen belong to one hold */}
        {(known) => <Pack key={holdId} hold={known} />}
      </Fetched>
    </Beside>
  );
}
