import { Dialog } from "@/components/ui/dialog";

const GROUPS: [string, [string, string][]][] = [
  [
    "In the list",
    [
      ["j / k", "next, previous"],
      ["Enter", "open"],
      ["x", "select"],
      ["X", "select up to here"],
      ["/", "search"],
      ["Esc", "back to the list"],
    ],
  ],
  [
    "On a hold",
    [
      ["a", "approve (high risk: then Enter)"],
      ["r", "reject"],
      ["e", "amend"],
      ["w", "respond with words, where the agent takes them"],
      ["c", "comment or ask a question"],
      ["l", "claim it, or release it"],
    ],
  ],
  [
    "On runs, changes and skills",
    [
      ["n", "start a run, a change or a session, register skills"],
      ["1 – 4", "plan, files, tests and checks of a change"],
    ],
  ],
  [
    "Anywhere",
    [
      ["g i", "inbox"],
      ["g r", "runs"],
      ["g c", "code changes"],
      ["g s", "skills and sessions"],
      ["g b", "agents"],
      ["g t", "insights"],
      ["g p", "policy"],
      ["g a", "audit"],
      ["g e", "people"],
      ["g m", "your account"],
      ["Ctrl K", "go to or do anything"],
      ["u", "undo my last decision"],
      ["?", "show these shortcuts"],
    ],
  ],
];

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="grid gap-6 sm:grid-cols-2">
        {GROUPS.map(([title, keys]) => (
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
