/** A batch: every item gets its own yes or no, and all are sent together. */
import { Check, X } from "lucide-react";
import { Value } from "@/components/json";
import { Button } from "@/components/ui/button";
import type { Deciding } from "@/components/deciding/deciding";
import { Section } from "@/components/section";
import { TEXTS } from "@/features/hold/texts";
import { cn } from "@/lib/cn";
import { useDraft } from "@/lib/drafts";
import { line, words } from "@/lib/format";
import type { Hold } from "@/lib/holds";

const WORDS = TEXTS.itemsForm;

type Item = Hold["items"][number];
type Verdicts = Record<string, boolean>;

interface Props {
  hold: Hold;
  open: boolean;
  deciding: Deciding;
}

export default function ItemsForm({ hold, open, deciding }: Props) {
  const [verdicts, setVerdicts, drop] = useDraft<Verdicts>(`items:${hold.digest}`, {});
  const ids = hold.items.map(idOf);
  const left = ids.filter((id) => !(id in verdicts)).length;
  const all = (approved: boolean) => setVerdicts(Object.fromEntries(ids.map((id) => [id, approved])));
  const yes = ids.filter((id) => verdicts[id]).length;
  const made: Verdicts | null = hold.decision
    ? Object.fromEntries(hold.decision.items.map((one) => [one.item_id, one.approved]))
    : null;

  return (
    <Section title={WORDS.items} note={String(ids.length)}>
      {open ? (
        <div className="flex gap-2">
          <Button size="sm" onClick={() => all(true)}>
            {WORDS.approveAll}
          </Button>
          <Button size="sm" onClick={() => all(false)}>
            {WORDS.rejectAll}
          </Button>
        </div>
      ) : null}
      <ItemsTable items={hold.items} verdicts={made ?? verdicts} onDecide={open ? (id, approved) => setVerdicts({ ...verdicts, [id]: approved }) : null} />
      {open ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            tone="accent"
            disabled={left > 0 || deciding.sending}
            waits={!deciding.settled}
            onClick={() => {
              const items = ids.map((id) => ({ item_id: id, approved: verdicts[id] ?? false }));
              deciding.send({ verdict: "answer", items }, drop);
            }}
          >
            {deciding.sending ? WORDS.sending : left > 0 ? WORDS.itemsLeft(left) : WORDS.send(yes, ids.length - yes)}
          </Button>
          <p className="text-ink-3">{WORDS.allDecisionsAreSentTogether}</p>
        </div>
      ) : null}
    </Section>
  );
}

function idOf(item: Item): string {
  return String(item["item_id"]);
}

interface TableProps {
  items: Item[];
  verdicts: Verdicts;
  onDecide: ((id: string, approved: boolean) => void) | null;
}

function ItemsTable({ items, verdicts, onDecide }: TableProps) {
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) => name !== "item_id");
  return (
    <div className="overflow-x-auto rounded-lg border border-line" tabIndex={0} role="group" aria-label={WORDS.items}>
      <table className="w-full text-left max-sm:block">
        <thead className="bg-sunken text-xs text-ink-2 max-sm:sr-only">
          <tr>
            <th scope="col" className="px-3 py-2 font-medium">
              {WORDS.item}
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className="px-3 py-2 font-medium">
                {words(name)}
              </th>
            ))}
            <th scope="col" className="px-3 py-2 font-medium">
              {WORDS.decision}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-sm:block">
          {items.map((item) => {
            const id = idOf(item);
            return (
              <tr key={id} className="max-sm:block max-sm:py-1.5">
                <th scope="row" className="px-3 py-2 font-mono text-xs font-normal max-sm:block max-sm:pb-0.5 max-sm:font-medium">
                  {line(id)}
                </th>
                {columns.map((name) => (
                  <td key={name} className="max-w-64 px-3 py-2 max-sm:flex max-sm:max-w-none max-sm:gap-2 max-sm:py-0.5">
                    <span aria-hidden className="shrink-0 text-ink-3 sm:hidden">
                      {words(name)}
                    </span>
                    {item[name] === undefined ? "" : <Value of={item[name]} />}
                  </td>
                ))}
                <td className="px-3 py-1.5 max-sm:block">
                  <Decide id={id} verdict={verdicts[id]} onDecide={onDecide} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Decide({ id, verdict, onDecide }: { id: string; verdict: boolean | undefined; onDecide: TableProps["onDecide"] }) {
  if (!onDecide) return verdict === undefined ? "" : verdict ? "approved" : "rejected";
  const side = "inline-flex h-8 cursor-pointer items-center gap-1 px-2.5 text-xs hover:bg-sunken";
  return (
    <div role="group" aria-label={WORDS.decisionOn(line(id))} className="inline-flex overflow-hidden rounded-md border border-line">
      <button type="button" aria-pressed={verdict === true} className={cn(side, verdict === true && "bg-good-soft font-medium text-good")} onClick={() => onDecide(id, true)}>
        <Check aria-hidden className="size-3.5" /> {WORDS.approve}
      </button>
      <button
        type="button"
        aria-pressed={verdict === false}
        className={cn(side, "border-l border-line", verdict === false && "bg-critical-soft font-medium text-critical")}
        onClick={() => onDecide(id, false)}
      >
        <X aria-hidden className="size-3.5" /> {WORDS.reject}
      </button>
    </div>
  );
}
