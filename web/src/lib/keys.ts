/** Keys that act when nobody is typing: single ones ("j"), and two in a row ("g i"). A key that is held down acts once. */
import { useLayoutEffect, useRef } from "react";

export type Keys = Record<string, () => void>;

const SEQUENCE_MS = 1_000;
// moving through a list is what a held key is good for: it decides nothing
const REPEATABLE = new Set(["j", "k"]);
let first: { key: string; at: number } | null = null;
/** The key that acted and has not been let go yet. */
let held: string | null = null;
/** What was typed for a field that is on its way. */
let kept: string | null = null;

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Enter on a button, a link or what unfolds is theirs; Escape within a step that says so is that step's. */
function isOfControl(event: KeyboardEvent): boolean {
  if (!(event.target instanceof HTMLElement)) return false;
  return (event.key === "Enter" && event.target.closest("a, button, summary") !== null) || (event.key === "Escape" && event.target.closest("[data-escape]") !== null);
}

export function pressed(event: KeyboardEvent, keys: Keys): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.repeat && !REPEATABLE.has(event.key)) return;
  if (isTyping(event.target) || isOfControl(event) || document.querySelector("dialog[open], [role=menu]")) return;
  const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${event.key}` : null;
  const act = (sequence ? keys[sequence] : undefined) ?? (sequence ? undefined : keys[event.key]);
  if (act) {
    event.preventDefault();
    held = event.key;
    act();
  }
}

/** What a held key would do besides: type itself into the field that it opened, press a button or send a form again. */
function isSecondAct(event: KeyboardEvent): boolean {
  if (!event.repeat) return false;
  if (event.key === held && !REPEATABLE.has(event.key)) return true;
  return event.key === "Enter" && !(event.target instanceof HTMLTextAreaElement);
}

/** From now on what is typed does nothing: it is for a field that is on its way. */
export function keepTyped(): void {
  kept = "";
}

/** What was typed until now; from now on keys act again. */
export function takeTyped(): string {
  const typed = kept ?? "";
  kept = null;
  return typed;
}

function keep(event: KeyboardEvent): void {
  if (kept === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.length === 1) kept += event.key;
  else if (event.key === "Backspace") kept = kept.slice(0, -1);
  event.preventDefault();
  event.stopImmediatePropagation();
}

// once for the whole page
if (typeof window !== "undefined") {
  window.addEventListener("keydown", keep, true);
  // before every other listener
  window.addEventListener("keydown", (event) => isSecondAct(event) && event.preventDefault(), true);
  window.addEventListener("keyup", () => (held = null), true);
  window.addEventListener("blur", () => (held = null));
  // after every hook has seen the key
  window.addEventListener("keydown", (event) => {
    const began = event.key === "g" && !isTyping(event.target) && !event.metaKey && !event.ctrlKey;
    first = began ? { key: "g", at: event.timeStamp } : first && first.at !== event.timeStamp ? null : first;
  });
}

export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  // before anything is painted: a key acts as soon as one sees what it does
  useLayoutEffect(() => {
    current.current = keys;
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event, current.current);
    // in the capture phase: before `first` is forgotten
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, []);
}
