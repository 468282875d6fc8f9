import { X } from "lucide-react";
import { createContext, use, useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { TEXTS } from "@/components/ui/texts";
import { cn } from "@/lib/cn";

const WORDS = TEXTS.dialog;

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
  /** Whether it asks before what was typed is lost. One that does not says itself what closing it did. */
  asks?: boolean;
}

const Leaving = createContext<() => void>(() => undefined);

// buttons come after fields wherever there are any: Enter must not close what was just opened
const FIELDS = ":is(input, textarea, select):not([disabled], [type=hidden])";

/** A modal on the browser's own `<dialog>`: it traps focus, begins at its first field, closes with Escape but never
 * without a word where something was typed, and gives focus back. */
export function Dialog({ title, onClose, children, wide = false, asks = true }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const typed = useRef(false);
  const [leaving, setLeaving] = useState(false);
  const heading = useId();
  useEffect(() => {
    const shown = dialog.current;
    if (shown && !shown.open) shown.showModal();
    focusStart(body.current, shown);
    return () => shown?.close();
  }, []);

  function leave() {
    if (asks && typed.current && hasText(body.current)) setLeaving(true);
    else onClose();
  }

  function stay() {
    setLeaving(false);
    focusStart(body.current, dialog.current);
  }

  function escape(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    // the browser would close it by itself the second time
    event.preventDefault();
    if (leaving) stay();
    else leave();
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      tabIndex={-1}
      onKeyDown={escape}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      // where the browser closed it all the same, as the back gesture of a phone may
      onClose={() => {
        if (dialog.current?.open) return;
        dialog.current?.showModal();
        leave();
      }}
      className={cn(
        "m-auto max-h-[90dvh] w-[calc(100%-2rem)] overflow-y-auto rounded-xl border border-line bg-panel p-0 text-ink shadow-2xl outline-none",
        wide ? "max-w-3xl" : "max-w-lg",
      )}
    >
      <div className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
        <h2 id={heading} className="text-base font-semibold">
          {title}
        </h2>
        <Button tone="ghost" size="icon" aria-label={WORDS.close} onClick={leave}>
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      <div ref={body} className="px-5 py-4" onInput={() => (typed.current = true)}>
        <Leaving value={leave}>{children}</Leaving>
      </div>
      {leaving ? (
        <div className="border-t border-line px-5 py-4">
          <Notice tone="warning" title={WORDS.closeAndLoseWhatYou}>
            {WORDS.nothingHasBeenSentOr}
            <span className="mt-3 flex gap-2">
              <Button size="sm" autoFocus onClick={stay}>
                {WORDS.keepWriting}
              </Button>
              <Button size="sm" tone="danger" onClick={onClose}>
                {WORDS.closeAnyway}
              </Button>
            </span>
          </Notice>
        </div>
      ) : null}
    </dialog>
  );
}

/** Leaves the dialog that it is in, as Escape does. */
export function BackButton({ children = "Back" }: { children?: ReactNode }) {
  return <Button onClick={use(Leaving)}>{children}</Button>;
}

function focusStart(body: HTMLElement | null, dialog: HTMLElement | null): void {
  const start = body?.querySelector<HTMLElement>(FIELDS) ?? body?.querySelector<HTMLElement>("button, a") ?? dialog;
  start?.focus();
}

function hasText(body: HTMLElement | null): boolean {
  const fields = body?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("textarea, input:not([type=checkbox], [type=radio])");
  return [...(fields ?? [])].some((field) => field.value.trim() !== "");
}
