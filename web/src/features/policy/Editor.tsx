/** The policy as it could be: written, checked as one writes, tried, compared with what is in force, and applied. */
import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo, useState } from "react";
import { DiffText } from "@/components/diff";
import { Panel } from "@/components/page";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Tabs } from "@/components/ui/tabs";
import { checkQuery, type Policy } from "@/features/policy/api";
import { Cases } from "@/features/policy/Cases";
import { draftOf, sendable, type CaseDraft } from "@/features/policy/cases";
import { CodeEditor, type Problem } from "@/features/policy/CodeEditor";
import { vocabulary } from "@/features/policy/completing";
import { unified } from "@/features/policy/differing";
import { TEXTS } from "@/features/policy/texts";
import { TryAction } from "@/features/policy/TryAction";
import { problemFrom } from "@/lib/api";
import { cn } from "@/lib/cn";
import { useDraft } from "@/lib/drafts";
import { plain } from "@/lib/format";
import { lazy } from "@/lib/lazy";
import { useSettled } from "@/lib/settled-value";

const Apply = lazy(() => import("@/features/policy/Apply"));

export default function Editor({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const [begun] = useState(policy);
  const [files, setFiles, dropFiles] = useDraft<Record<string, string>>("policy:files", begun.files);
  const [cases, setCases, dropCases] = useDraft<CaseDraft[]>("policy:cases", begun.cases.map(draftOf));
  const [open, setOpen] = useState(Object.keys(files)[0] ?? "");
  const [applying, setApplying] = useState(false);
  const known = useMemo(() => vocabulary(Object.values(begun.files)), [begun]);
  const sent = sendable(cases);
  const asked = useSettled(JSON.stringify({ files, cases: sent }));
  const check = useQuery(checkQuery(asked));
  const found = check.data;
  const problems = (found?.problems ?? []) as unknown as (Problem & { file: string })[];
  const failing = found?.cases.filter((one) => !one.passed).length ?? 0;
  const settled = asked === JSON.stringify({ files, cases: sent }) && !check.isFetching;
  const ready = settled && sent !== null && found?.valid === true && failing === 0 && (found.changes.length > 0 || differs(policy.files, files));

  function finish() {
    dropFiles();
    dropCases();
    onClose();
  }

  return (
    <>
      <Panel
        title={TEXTS.editing(begun.version)}
        note={TEXTS.intro}
        actions={
          <>
            <Button size="sm" onClick={finish}>
              {TEXTS.discard}
            </Button>
            <Button size="sm" tone="accent" disabled={!ready} onClick={() => setApplying(true)}>
              {TEXTS.apply.open}
            </Button>
          </>
        }
      >
        <div className="space-y-4">
          <Tabs
            label={TEXTS.files}
            names={Object.keys(files)}
            open={open}
            onOpen={setOpen}
            line={(name) => (
              <>
                {name}
                {files[name] === policy.files[name] ? "" : " •"}
                <span className="text-critical">{TEXTS.problemsIn(problems.filter((one) => one.file === name).length)}</span>
              </>
            )}
          >
            <CodeEditor key={open} file={open} text={files[open] ?? ""} problems={problems.filter((one) => one.file === open)} known={known} onChange={(text) => setFiles({ ...files, [open]: text })} />
          </Tabs>
          <p role="status" className={cn(found && !found.valid ? "text-critical" : "text-ink-2")}>
            {!settled ? TEXTS.checking : check.isError ? problemFrom(check.error).message : found?.valid ? TEXTS.valid : TEXTS.invalid(problems.length)}
          </p>
          {begun.version === policy.version ? null : <Notice tone="warning" title={TEXTS.apply.stale(policy.version)} />}
        </div>
      </Panel>
      <Panel title={TEXTS.cases.title} note={failing > 0 ? <span className="text-critical">{TEXTS.cases.failing(failing)}</span> : null}>
        <Cases cases={cases} outcomes={settled ? (found?.cases ?? []) : []} onChange={setCases} />
      </Panel>
      <TryAction files={files} />
      <Differences before={policy.files} after={files} changes={found?.changes ?? []} />
      <Suspense>
        {applying && sent !== null ? <Apply files={files} cases={sent} changes={found?.changes ?? []} onClose={() => setApplying(false)} onDone={finish} /> : null}
      </Suspense>
    </>
  );
}

function differs(before: Record<string, string>, after: Record<string, string>): boolean {
  return Object.keys(after).some((name) => before[name] !== after[name]);
}

function Differences({ before, after, changes }: { before: Record<string, string>; after: Record<string, string>; changes: string[] }) {
  const diffs = Object.keys(after).flatMap((name) => unified(name, before[name] ?? "", after[name] ?? "") || []);
  return (
    <Panel title={TEXTS.differs}>
      {diffs.length === 0 && changes.length === 0 ? (
        <p className="text-ink-3">{TEXTS.same}</p>
      ) : (
        <div className="space-y-4">
          <section aria-label={TEXTS.wording}>
            <h3 className="text-xs text-ink-3">{TEXTS.wording}</h3>
            {changes.length === 0 ? (
              <p>{TEXTS.onlyForm}</p>
            ) : (
              <ul className="list-disc pl-5">
                {changes.map((change) => (
                  <li key={change}>{plain(change)}</li>
                ))}
              </ul>
            )}
          </section>
          {diffs.length > 0 ? (
            <section aria-label={TEXTS.asText} className="space-y-2">
              <h3 className="text-xs text-ink-3">{TEXTS.asText}</h3>
              {diffs.map((diff) => (
                <DiffText key={diff} text={plain(diff)} />
              ))}
            </section>
          ) : null}
        </div>
      )}
    </Panel>
  );
}
