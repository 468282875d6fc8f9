import { Dialog } from "@/components/ui/dialog";
import { TEXTS } from "@/app/texts";

const WORDS = TEXTS.keyHelp;

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={WORDS.keyboardShortcuts} onClose={onClose}>
      <div className="grid gap-6 sm:grid-cols-2">
        {WORDS.groups.map(([title, keys]) => (
          <section key={title}>
            <h3 className="mb-2 text-xs font-medium text-ink-3">{title}</h3>
            <dl className="space-y-1.5">
              {keys.map(([key, meaning]) => (
                <div key={key} className="flex gap-3">
                  <dt className="w-14 shrink-0">
                    <kbd className="rounded border border-line-strong/50 px-1.5 py-0.5">{key}</kbd>
                  </dt>
                  <dd className="text-ink-2">{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
