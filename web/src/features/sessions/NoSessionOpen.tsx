import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { NothingBeside } from "@/components/desk";
import { sessionsQuery } from "@/features/sessions/api";

/** Beside the list while no session is open: how to go on, or how to begin. */
export function NoSessionOpen() {
  const sessions = useInfiniteQuery(sessionsQuery({}));
  if (!sessions.isSuccess) return null;
  if ((sessions.data.pages[0]?.sessions.length ?? 0) > 0) {
    return (
      <NothingBeside title="Open a session to follow it.">
        <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>n</kbd> starts one.
      </NothingBeside>
    );
  }
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-2xl space-y-4 px-6 py-12">
        <h2 className="text-xl font-semibold">No sessions yet</h2>
        <p className="text-ink-2">
          A session runs a skill. Its reasoning, tool calls and questions appear here as they happen. When it asks, it waits for your answer and
          then continues. If no one is there to ask, it uses defaults.
        </p>
        <p className="flex gap-4">
          <Link to="/sessions/start" search={{}} className="font-medium text-accent hover:underline">
            Start a session
          </Link>
          <Link to="/skills" search={{}} className="font-medium text-accent hover:underline">
            Browse skills
          </Link>
        </p>
      </div>
    </div>
  );
}
