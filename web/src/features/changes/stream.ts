import { useEffect, useReducer, useState } from "react";
import { folded, NOTHING, type Change } from "@/features/changes/model";
import type { StreamState } from "@/lib/events";
import { followRun } from "@/lib/run-stream";

/** The change as it is, and as it goes on. For one run: another one needs a component of its own. */
export function useChange(id: string): { change: Change; state: StreamState } {
  const [change, tell] = useReducer(folded, NOTHING);
  const [state, setState] = useState<StreamState>("connecting");
  useEffect(() => followRun(id, tell, setState, { data: true }), [id]);
  return { change, state };
}
