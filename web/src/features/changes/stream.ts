import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer, useState } from "react";
import { folded, NOTHING, type Change } from "@/features/changes/model";
import { changeKeys } from "@/lib/code-changes";
import type { StreamState } from "@/lib/events";
import { followRun } from "@/lib/run-stream";

/** The change as it is, and as it goes on. For one run: another one needs a component of its own. */
export function useChange(id: string): { change: Change; state: StreamState } {
  const [change, tell] = useReducer(folded, NOTHING);
  const [state, setState] = useState<StreamState>("connecting");
  useEffect(() => followRun(id, tell, setState, { data: true }), [id]);
  // how it ended is read again when its own stream says that it did: the feed of all events may have come earlier
  const ends = change.talk.filter((talk) => talk.is === "end").length;
  const queries = useQueryClient();
  useEffect(() => {
    if (ends > 0) void queries.invalidateQueries({ queryKey: changeKeys.one(id) });
  }, [ends, id, queries]);
  return { change, state };
}
