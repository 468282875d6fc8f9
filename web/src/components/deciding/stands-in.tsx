/** For whom one decides, where somebody is away: said, and chosen where there is a choice. */
import type { Deciding } from "@/components/deciding/deciding";
import { TEXTS } from "@/components/deciding/texts";
import { Field, Select } from "@/components/ui/field";
import { line } from "@/lib/format";
import type { Hold } from "@/lib/holds";

const WORDS = TEXTS.standsIn;

export default function StandsIn({ hold, deciding }: { hold: Hold; deciding: Deciding }) {
  const { own_right: own, stands_in_for: away } = hold.may_decide;
  const [only] = away;
  if (!own && away.length === 1 && only) {
    return <p className="text-ink-2">{WORDS.youDecideThisFor(line(only.name))}</p>;
  }
  return (
    <Field label={WORDS.youDecide}>
      {(props) => (
        <Select {...props} value={deciding.absent ?? ""} onChange={(e) => deciding.setAbsent(e.target.value || null)}>
          {own ? <option value="">{WORDS.forYourself}</option> : null}
          {away.map((one, place) => (
            <option key={one.id} value={!own && place === 0 ? "" : one.id}>
              {WORDS.for(line(one.name))}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
