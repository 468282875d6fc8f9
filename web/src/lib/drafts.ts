/** What a person has begun to write about one thing: survives refetches and reloads of this tab, and no longer. */
import { useCallback, useState } from "react";

const PREFIX = "handrail.draft.";

function readDraft(key: string): unknown {
  const kept = sessionStorage.getItem(PREFIX + key);
  if (kept === null) return undefined;
  try {
    return JSON.parse(kept);
  } catch {
    return undefined;
  }
}

/** Also what another page proposes, as if a person had written it. */
export function keepDraft(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // larger than a browser keeps, with a file for instance: it stays on the page, and does not survive a reload
    dropDraft(key);
  }
}

function dropDraft(key: string): void {
  sessionStorage.removeItem(PREFIX + key);
}

/** Like `useState`, kept under the key. `initial` is taken once: a refetch never changes what was typed. */
export function useDraft<T>(key: string, initial: T, keep = true): [T, (next: T) => void, () => void] {
  const [drafts, setDrafts] = useState<Record<string, T>>(() => ({}));
  const current = key in drafts ? (drafts[key] as T) : ((keep ? (readDraft(key) as T | undefined) : undefined) ?? initial);
  const set = useCallback(
    (next: T) => {
      setDrafts((all) => ({ ...all, [key]: next }));
      if (keep) keepDraft(key, next);
    },
    [key, keep],
  );
  const drop = useCallback(() => {
    dropDraft(key);
    setDrafts(({ [key]: dropped, ...others }) => others);
  }, [key]);
  return [current, set, drop];
}
