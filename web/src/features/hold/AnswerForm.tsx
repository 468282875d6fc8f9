import { Answering } from "@/components/answering";
import { Value } from "@/components/json";
import { Section } from "@/components/section";
import type { Deciding } from "@/components/deciding/deciding";
import { TEXTS } from "@/features/hold/texts";
import type { Hold } from "@/lib/holds";

const WORDS = TEXTS.answerForm;

interface Props {
  hold: Hold;
  open: boolean;
  deciding: Deciding;
}

export default function AnswerForm({ hold, open, deciding }: Props) {
  if (hold.decision) {
    return (
      <Section title={WORDS.answer}>
        <Value of={hold.decision.answer} />
      </Section>
    );
  }
  if (!open) return null;
  return (
    <Section title={WORDS.yourAnswer}>
      <Answering hold={hold} sending={deciding.sending} waits={!deciding.settled} onSend={(answer, done) => deciding.send({ verdict: "answer", answer }, done)} />
    </Section>
  );
}
