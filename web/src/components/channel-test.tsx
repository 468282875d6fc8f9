/** A button that sends a test by a channel, and says what became of it. */
import { useMutation } from "@tanstack/react-query";
import { TEXTS } from "@/components/texts";
import { Button } from "@/components/ui/button";
import { problemFrom } from "@/lib/api";
import { named, testChannel } from "@/lib/channels";

const WORDS = TEXTS.channelTest;

export function ChannelTest({ channel }: { channel: string }) {
  const testing = useMutation({ mutationFn: () => testChannel(channel) });
  return (
    <span className="flex flex-wrap items-center gap-3">
      <span role="status" className={testing.isError ? "text-xs text-critical" : "text-xs text-good"}>
        {testing.isError ? problemFrom(testing.error).message : testing.isSuccess ? WORDS.delivered : null}
      </span>
      <Button size="sm" aria-label={WORDS.sendTestBy(named(channel))} disabled={testing.isPending} onClick={() => testing.mutate()}>
        {testing.isPending ? WORDS.sending : WORDS.sendATest}
      </Button>
    </span>
  );
}
