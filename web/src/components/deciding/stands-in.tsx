/** For whom one decides, where somebody is away: said, and chosen where there is a choice. */
import type { Deciding } from "@/components/deciding/deciding";
import { Field, Select } from "@/components/ui/field";
import { line } from "@/lib/format";
import type { Hold } from "@/lib/holds";

export default function StandsIn({ hold, deciding }: { hold: Hold; deciding: Deciding }) {
  const { own_right: own, stands_in_for: away } = hold.may_decide;
  const [only] = away;
  if (!own && away.length === 1 && only) {
    return <p className="text-ink-2">You decide this for {line(only.name)}, who is away.</p>;
  }
  return (
    <Field label="You decide">
      {(props) => (
        <Select {...props} value={deciding.absent ?? ""} onChange={(e) => deciding.setAbsent(e.target.value || null)}>
          {own ? <option value="">for yourself</option> : null}
          {away.map((one, place) => (
            <option key={one.id} value={!own && place === 0 ? "" : one.id}>
              for {line(one.name)}, who is away
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
