/** A run or a session: what is known of it, and its story as it happens. */
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import { Section } from "@/components/section";
import { TEXTS } from "@/components/texts";
import { Timeline } from "@/components/timeline";
import { Waiting } from "@/components/ui/waiting";
import { useStory } from "@/lib/run-stream";
import type { Part, Story } from "@/lib/story";

const WORDS = TEXTS.storied;

interface Props {
  /** Of the run: another one needs a component of its own. */
  id: string;
  label: string;
  queued: boolean;
  /** Without how the workflow goes about it, which says something only to who made that. */
  brief?: boolean;
  /** So many parts of it are told; all of them where it is null. */
  moment?: number | null;
  /** Above the story. */
  children: ReactNode | ((story: Story) => ReactNode);
  /** Below it. */
  footer: ReactNode;
}

export function Storied({ id, label, queued, brief = false, moment = null, children, footer }: Props) {
  const { story: whole, state } = useStory(id);
  const story = useMemo(() => {
    if (moment !== null) return { ...whole, parts: whole.parts.slice(0, moment), saying: [] };
    return brief ? { ...whole, parts: whole.parts.filter((part) => !isInner(part)) } : whole;
  }, [whole, brief, moment]);
  const box = useFollowing(story);
  return (
    <article ref={box} tabIndex={-1} aria-label={label} className="min-h-0 flex-1 overflow-y-auto outline-none">
      <div className="mx-auto max-w-3xl space-y-6 px-4 py-6 sm:px-8">
        {typeof children === "function" ? children(whole) : children}
        <Section title={WORDS.whatHappened}>
          {state === "reconnecting" ? (
            <p role="status" className="text-xs text-high">
              {WORDS.reconnectingNothingIsLostIn}
            </p>
          ) : null}
          {moment !== 0 && story.parts.length === 0 && story.saying.length === 0 ? <Waiting what={WORDS.theTimeline} /> : <Timeline story={story} />}
          {queued ? <p className="text-ink-3">{WORDS.waitingForWorkerToPick}</p> : null}
        </Section>
        {footer}
      </div>
    </article>
  );
}

function isInner(part: Part): boolean {
  return part.is === "step" || (part.is === "effect" && part.state !== "unknown") || (part.is === "mark" && part.of === "resumption");
}

/** Keeps the end in view as the story grows, as long as the reader is at the end. */
function useFollowing(story: Story) {
  const box = useRef<HTMLElement>(null);
  const following = useRef(false);
  useEffect(() => {
    const shown = box.current;
    if (!shown) return;
    const look = () => {
      following.current = shown.scrollHeight - shown.scrollTop - shown.clientHeight < 80 && shown.scrollTop > 0;
    };
    shown.addEventListener("scroll", look, { passive: true });
    return () => shown.removeEventListener("scroll", look);
  }, []);
  useEffect(() => {
    if (following.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [story]);
  return box;
}
