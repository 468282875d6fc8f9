/** The plan of a code change as a list, what was amended in it, and all else that is part of the action. */
import Amendments from "@/components/amendments";
import type { Deciding } from "@/components/deciding/deciding";
import { Entries } from "@/components/json";
import { Commands, PlanView } from "@/components/plan";
import PlanForm from "@/components/plan-form";
import { Section } from "@/components/section";
import { TEXTS } from "@/features/hold/texts";
import type { Plan } from "@/lib/change-holds";
import type { Action, Hold } from "@/lib/holds";
import { fieldsOf } from "@/lib/wording";

const WORDS = TEXTS.planPart;

interface Props {
  hold: Hold;
  action: Action;
  plan: Plan;
  /** Given where it is being amended. */
  amending: Deciding | null;
}

export default function PlanPart({ hold, action, plan, amending }: Props) {
  if (amending) return <PlanForm hold={hold} action={action} deciding={amending} />;
  const { plan: _, commands, ...rest } = action.args;
  return (
    <>
      <PlanView plan={plan} note={WORDS.thePlan} />
      {hold.revision > 1 ? <Amendments hold={hold} /> : null}
      {commands ? <Commands of={commands} /> : null}
      <Section title={WORDS.actionAndArguments}>
        <Entries of={fieldsOf({ ...action, args: rest })} />
      </Section>
    </>
  );
}
