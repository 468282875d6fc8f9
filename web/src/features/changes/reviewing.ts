/** What a person does at a review of the plan or the result: what is decided, left out, and said about lines. */
import { useState } from "react";
import { useDeciding, type Deciding } from "@/components/deciding/deciding";
import { isLeftOut } from "@/features/changes/hunks";
import { sentLeftOut, type LeftOut } from "@/lib/change-holds";
import { useDraft } from "@/lib/drafts";
import type { Hold } from "@/lib/holds";

/** A remark about a line, for the agent. */
export interface Remark {
  path: string;
  line: number;
  text: string;
}

export interface Reviewing {
  /** As it stands on the page. */
  hold: Hold;
  /** As it has become: where its digest differs, somebody amended it. */
  now: Hold;
  look: () => void;
  deciding: Deciding;
  /** It can be decided by this person now. */
  open: boolean;
  leftOut: LeftOut[];
  setLeftOut: (left: LeftOut[]) => void;
  remarks: Remark[];
  setRemarks: (remarks: Remark[]) => void;
  /** What was marked and not sent yet: nothing is approved before that is settled. */
  marked: boolean;
}

export function useReviewing(now: Hold): Reviewing {
  const [hold, setHold] = useState(now);
  const deciding = useDeciding(hold, now, setHold, stay);
  const sent = sentLeftOut(hold);
  const [leftOut, setLeftOut] = useDraft<LeftOut[]>(`leave:${hold.digest}`, sent);
  const [remarks, setRemarks] = useDraft<Remark[]>(`remarks:${hold.digest}`, []);
  const open = now.status === "pending" && now.may_decide.allowed && now.digest === hold.digest;
  const marked = remarks.length > 0 || !isSame(leftOut, sent);
  return { hold, now, look: () => setHold(now), deciding, open, leftOut, setLeftOut, remarks, setRemarks, marked };
}

/** After a decision the page stays with the change. */
function stay(): void {
  return undefined;
}

function isSame(a: LeftOut[], b: LeftOut[]): boolean {
  const has = (some: LeftOut[], { path, hunks }: LeftOut) =>
    some.some((one) => one.path === path && one.hunks.length === hunks.length && hunks.every((hunk) => isLeftOut([one], path, hunk)));
  return a.length === b.length && a.every((one) => has(b, one));
}

/** The remarks as the reason of a rejection, which goes back to the agent. */
export function reasonOf(remarks: readonly Remark[]): string {
  return remarks.map(({ path, line, text }) => `${path}:${line}: ${text.trim()}`).join("\n");
}
