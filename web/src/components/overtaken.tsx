/** Somebody amended what is being looked at: what became of it, and that it was seen. */
import { Changes } from "@/components/changes";
import { TEXTS } from "@/components/texts";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { changes } from "@/lib/changes";
import type { Hold } from "@/lib/holds";

const WORDS = TEXTS.overtaken;

export default function Overtaken({ seen, now, onSeen }: { seen: Hold; now: Hold; onSeen: () => void }) {
  return (
    <Notice tone="warning" title={WORDS.thisWasAmendedWhileYou(now.revision)}>
      <Changes of={changes(seen.action, now.action)} />
      <Button className="mt-3" onClick={onSeen}>
        {WORDS.iHaveSeenChange}
      </Button>
    </Notice>
  );
}
