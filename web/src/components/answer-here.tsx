/** Answers a question where it is shown, without leaving the page. */
import { Answering } from "@/components/answering";
import { Notice } from "@/components/ui/notice";
import { problemFrom } from "@/lib/api";
import type { Hold } from "@/lib/holds";
import { useReview } from "@/lib/reviewing";
import { useSettled } from "@/lib/settled";

export default function AnswerHere({ hold }: { hold: Hold }) {
  const reviewing = useReview(hold.id);
  const settled = useSettled(hold.digest);
  return (
    <div className="space-y-3">
      {reviewing.isError ? <Notice tone="error" title={problemFrom(reviewing.error).message} /> : null}
      <Answering
        hold={hold}
        sending={reviewing.isPending}
        waits={!settled}
        onSend={(answer, done) => reviewing.mutate({ verdict: "answer", answer, digest: hold.digest }, { onSuccess: done })}
      />
    </div>
  );
}
