/** Keys that act when nobody is typing: single ones ("j"), and two in a row ("g i"). */
import { useEffect, useRef } from "react";

export type Keys = Record<string, () => void>;

const SEQUENCE_MS = 1_000;
let first: { key: string; at: number } | null = null;

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Enter on a button or link is that button's or link's. */
function isOfControl(event: KeyboardEvent): boolean {
  return event.key === "Enter" && event.target instanceof HTMLElement && event.target.closest("a, button") !== null;
}

export function pressed(event: KeyboardEvent, keys: Keys): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
  if (isTyping(event.target) || isOfControl(event) || document.querySelector("dialog[open], [role=menu]")) return;
  const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${event.key}` : null;
  const act = (sequence ? keys[sequence] : undefined) ?? (sequence ? undefined : keys[event.key]);
  if (act) {
    event.preventDefault();
    act();
  }
}

// once for the whole page, after every hook has seen the key
if (typeof window !== "undefined") {
  window.addEventListener("keydown", (event) => {
    const began = event.key === "g" && !isTyping(event.target) && !event.metaKey && !event.ctrlKey;
    first = began ? { key: "g", at: event.timeStamp } : first && first.at !== event.timeStamp ? null : first;
  });
}

export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event, current.current);
    // in the capture phase: before `first` is forgotten
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, []);
}
