import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { NothingBeside } from "@/components/desk";
import { sessionsQuery } from "@/features/sessions/api";
import { TEXTS } from "@/features/sessions/texts";

const WORDS = TEXTS.noSessionOpen;

/** Beside the list while no session is open: how to go on, or how to begin. */
export function NoSessionOpen() {
  const sessions = useInfiniteQuery(sessionsQuery({}));
  if (!sessions.isSuccess) return null;
  if ((sessions.data.pages[0]?.sessions.length ?? 0) > 0) {
    return (
      <NothingBeside title={WORDS.openSessionToFollowIt}>
        <kbd>j</kbd> {WORDS.and} <kbd>k</kbd> {WORDS.move} <kbd>{WORDS.enter}</kbd> {WORDS.opens} <kbd>n</kbd> {WORDS.startsOne}
      </NothingBeside>
    );
  }
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-2xl space-y-4 px-6 py-12">
        <h1 className="text-xl font-semibold">{WORDS.noSessionsYet}</h1>
        <p className="text-ink-2">
          {WORDS.sessionRunsSkill}
        </p>
        <p className="flex gap-4">
          <Link to="/sessions/start" search={{}} className="font-medium text-accent hover:underline">
            {WORDS.startASession}
          </Link>
          <Link to="/skills" search={{}} className="font-medium text-accent hover:underline">
            {WORDS.browseSkills}
          </Link>
        </p>
      </div>
    </div>
  );
}
