/** A grant before it is made: its bounds, as a sentence, and the past calls that it would have covered. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { previewQuery, usePropose, type Bounds, type Preview } from "@/features/hold/allowing/api";
import { BoundField } from "@/features/hold/allowing/BoundField";
import { boundOf, draftOf, type Bound, type Draft } from "@/features/hold/allowing/bounds";
import { Covered } from "@/features/hold/allowing/Covered";
import { TEXTS } from "@/features/hold/allowing/texts";
import { problemFrom } from "@/lib/api";
import { line, oneOf } from "@/lib/format";
import type { Action, Hold } from "@/lib/holds";

const WORDS = TEXTS.allowDialog;

const DAYS = [1, 7, 30, 90];
const DAY_MS = 86_400_000;
const TARGET = "target";

interface Props {
  hold: Hold;
  action: Action;
  onClose: () => void;
}

export default function AllowDialog({ hold, action, onClose }: Props) {
  const proposed = useQuery(previewQuery(hold.id, { this_case: false }));
  return (
    <Dialog title={WORDS.allowCallsLikeThis} onClose={onClose} wide asks={false}>
      {proposed.isError ? (
        <Notice tone="error" title={problemFrom(proposed.error).message} />
      ) : proposed.isPending ? (
        <Waiting what={WORDS.theBounds} />
      ) : (
        <Terms hold={hold} action={action} proposed={proposed.data} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Terms({ hold, action, proposed, onClose }: Props & { proposed: Preview }) {
  const terms = proposed.terms;
  const [args, setArgs] = useState<Record<string, Draft>>(() => Object.fromEntries(Object.entries(terms.args).map(([name, bound]) => [name, draftOf(bound)])));
  const [target, setTarget] = useState(() => (terms.target ? draftOf(terms.target) : null));
  const [uses, setUses] = useState(terms.uses ? String(terms.uses) : "");
  const [total, setTotal] = useState(typeof terms.amount?.total === "number" ? String(terms.amount.total) : "");
  const [days, setDays] = useState(7);
  const [thisCase, setThisCase] = useState(false);
  const [reason, setReason] = useState("");
  // a fixed moment, so that the preview is asked for once and not at each drawing
  const [from] = useState(() => Date.now());

  const bounds = Object.entries(args).map(([name, draft]) => [name, boundOf(draft)] as const);
  const body: Bounds = {
    args: Object.fromEntries(bounds.filter((one): one is readonly [string, Bound] => one[1] !== null)),
    target: target ? boundOf(target) : null,
    amount: terms.amount && total !== "" ? { ...terms.amount, total: Number(total) } : null,
    uses: uses === "" ? null : Number(uses),
    until: new Date(from + days * DAY_MS).toISOString(),
    this_case: thisCase,
  };
  const whole = bounds.every(([, bound]) => bound !== null) && (target === null || boundOf(target) !== null);
  const settled = useDeferredValue(JSON.stringify(body));
  const preview = useQuery({ ...previewQuery(hold.id, JSON.parse(settled) as Bounds), enabled: whole, placeholderData: keepPreviousData });
  const shown = preview.data ?? proposed;
  const making = usePropose(hold.id);
  const problem = making.error ?? preview.error;
  const needed = shown.requirements;

  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate(
          { ...body, args: body.args ?? {}, digest: hold.digest, reason: reason.trim() || null },
          {
            onSuccess: (grant) => {
              onClose();
              toast({ title: grant.status === "proposed" ? WORDS.isProposed(grant.short_id) : WORDS.countsFromNow(grant.short_id), tone: "good" });
            },
          },
        );
      }}
    >
      <p className="rounded-lg bg-sunken px-4 py-3 font-medium break-words" aria-live="polite">
        {line(shown.sentence)}
      </p>
      <div className="space-y-2">
        {target ? <BoundField name={TARGET} value={action.target} draft={target} onChange={setTarget} /> : null}
        {Object.entries(args).map(([name, draft]) => (
          <BoundField key={name} name={name} value={action.args[name]} draft={draft} onChange={(next) => setArgs({ ...args, [name]: next })} />
        ))}
      </div>
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label={WORDS.numberOfCalls} hint={WORDS.unlimited}>
          {(props) => <Input {...props} type="number" min={1} value={uses} onChange={(e) => setUses(e.target.value)} />}
        </Field>
        {terms.amount ? (
          <Field label={WORDS.total(line(String(terms.amount.argument)))} hint={WORDS.unlimited}>
            {(props) => <Input {...props} type="number" min={0} step="any" value={total} onChange={(e) => setTotal(e.target.value)} />}
          </Field>
        ) : null}
        <Field label={WORDS.for}>
          {(props) => (
            <Select {...props} value={days} onChange={(e) => setDays(Number(e.target.value))}>
              {DAYS.map((each) => (
                <option key={each} value={each}>
                  {each === 1 ? WORDS.n1Day : WORDS.days(each)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {hold.case_id ? (
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={thisCase} onChange={(e) => setThisCase(e.target.checked)} />
          {WORDS.onlyInCase(line(hold.case_id))}
        </label>
      ) : null}
      <Covered preview={shown} />
      <Field label={WORDS.reason} hint={needed.approvals > 1 ? WORDS.countsOncePeopleHaveAgreed(needed.approvals, oneOf(needed.roles)) : WORDS.youAloneDecideThis}>
        {(props) => <TextArea {...props} rows={2} required={needed.justification} value={reason} onChange={(e) => setReason(e.target.value)} />}
      </Field>
      {problem ? <Notice tone="error" title={problemFrom(problem).message} /> : shown.allowed ? null : <Notice tone="warning" title={shown.reason ?? ""} />}
      <div className="flex justify-end gap-2">
        <BackButton />
        <Button type="submit" tone="accent" disabled={!whole || !shown.allowed || making.isPending}>
          {needed.approvals > 1 ? WORDS.propose : WORDS.allow}
        </Button>
      </div>
    </form>
  );
}
