/** Checks the whole log in this browser, entry by entry, and says in words what it found. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { keysIn } from "@/features/audit/keys";
import { cannotCheck } from "@/features/audit/proof";
import { TEXTS } from "@/features/audit/texts";
import { verifyStream, type Progress, type Report } from "@/features/audit/verifying";
import { problemFrom, problemOf } from "@/lib/api";

const WORDS = TEXTS.verify;
const MOST_FAULTS = 10;

type State = { is: "idle" } | { is: "running"; soFar: Progress } | { is: "stopped" } | { is: "failed"; why: string } | { is: "done"; report: Report; own: boolean };

interface Props {
  head: { seq: number; public_keys: string[] };
  onProven: (proven: number | null) => void;
}

export function Verify({ head, onProven }: Props) {
  const [state, setState] = useState<State>({ is: "idle" });
  const [own, setOwn] = useState<string[] | null>(null);
  const stopping = useRef<AbortController>(undefined);
  const unable = useQuery({ queryKey: ["audit", "unable"], queryFn: cannotCheck, staleTime: "static" }).data;
  useEffect(() => () => stopping.current?.abort(), []);

  async function run() {
    const stop = new AbortController();
    stopping.current = stop;
    setState({ is: "running", soFar: { entries: 0, seals: 0 } });
    onProven(null);
    try {
      const answer = await fetch("/api/audit/export", { signal: stop.signal });
      if (!answer.ok || !answer.body) throw await problemOf(answer);
      const report = await verifyStream(answer.body, own ?? head.public_keys, (soFar) => setState({ is: "running", soFar }), stop.signal);
      setState({ is: "done", report, own: own !== null });
      onProven(report.faults.length === 0 ? report.last : report.proven);
    } catch (error) {
      setState(stop.signal.aborted ? { is: "stopped" } : { is: "failed", why: problemFrom(error).message });
    }
  }

  return (
    <div className="space-y-3">
      {unable ? (
        <p className="text-ink-2">{WORDS[unable]}</p>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          {state.is === "running" ? (
            <>
              <progress className="h-2 w-40 accent-accent" max={Math.max(head.seq, 1)} value={state.soFar.entries} aria-label={WORDS.start} />
              <span className="text-ink-2 tabular-nums">{WORDS.running(state.soFar.entries, head.seq)}</span>
              <Button size="sm" onClick={() => stopping.current?.abort()}>
                {WORDS.stop}
              </Button>
            </>
          ) : (
            <Button tone="accent" onClick={() => void run()}>
              {state.is === "idle" ? WORDS.start : WORDS.again}
            </Button>
          )}
        </div>
      )}
      <div aria-live="polite">
        {state.is === "stopped" ? <p className="text-ink-2">{WORDS.stopped}</p> : null}
        {state.is === "failed" ? <Notice tone="error" title={state.why} /> : null}
        {state.is === "done" ? <Found report={state.report} own={state.own} /> : null}
      </div>
      <details>
        <summary className="w-fit cursor-pointer text-ink-2">{WORDS.key}</summary>
        <div className="space-y-3 pt-3">
          <Field label={WORDS.key} hint={WORDS.keyHint} error={own?.length === 0 ? WORDS.noKey : null}>
            {(props) => (
              <Input
                {...props}
                type="file"
                accept=".pub,.pem,text/plain"
                className="py-1.5"
                onChange={(event) => {
                  const file = event.target.files?.[0];
                  if (file) void file.text().then((text) => setOwn(keysIn(text)));
                  else setOwn(null);
                }}
              />
            )}
          </Field>
          <p className="text-ink-2">{WORDS.command}</p>
          <Code text={"handrail audit verify handrail-audit.jsonl --key key.pub"} label={WORDS.copy} />
        </div>
      </details>
    </div>
  );
}

function Found({ report, own }: { report: Report; own: boolean }) {
  const whole = report.faults.length === 0;
  const left = report.faults.length - MOST_FAULTS;
  return (
    <Notice tone={whole ? "good" : "error"} title={whole ? WORDS.intact(report) : WORDS.broken(report)}>
      {whole ? null : (
        <ul className="list-disc pl-5">
          {report.faults.slice(0, MOST_FAULTS).map((fault, index) => (
            <li key={index}>{WORDS.wrong(fault.wrong, fault.seq)}</li>
          ))}
          {left > 0 ? <li>{WORDS.others(left)}</li> : null}
        </ul>
      )}
      <p>
        {report.keys.length > 0 ? `${WORDS.keys(report.keys)} ` : ""}
        {report.erased > 0 ? `${WORDS.erased(report.erased)} ` : ""}
        {report.pruned > 0 ? `${WORDS.pruned(report.pruned)} ` : ""}
        {report.waiting > 0 ? `${WORDS.waiting(report.waiting)} ` : ""}
        {own ? WORDS.own : WORDS.served} {WORDS.notHere}
      </p>
    </Notice>
  );
}
