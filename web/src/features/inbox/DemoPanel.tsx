import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { DemoChange } from "@/components/demo-change";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { Notice } from "@/components/ui/notice";
import { demoQuery, demoStartedQuery, isOfDemo, useDemoLinks, useStartDemo, type DemoApprover } from "@/features/inbox/demo";
import { TEXTS } from "@/features/inbox/texts";
import { problemFrom } from "@/lib/api";
import { words } from "@/lib/format";
import { workflowsQuery } from "@/lib/workflows";

const WORDS = TEXTS.demoPanel;

const LOOK_MS = 1_000;

/** Offers the demo, and once it is on says what to do with it. */
export function DemoPanel() {
  const approvers = useQuery(demoQuery).data;
  return approvers ? <DemoGuide approvers={approvers} /> : <DemoOffer />;
}

function DemoOffer() {
  const workflows = useQuery({ ...workflowsQuery, refetchInterval: (query) => (query.state.data?.some(isOfDemo) ? false : LOOK_MS) });
  const starting = useStartDemo();
  const again = useDemoLinks();
  const started = useQuery(demoStartedQuery).data ?? false;
  const served = workflows.data?.filter(isOfDemo) ?? [];
  const ready = served.length > 0;
  return (
    <section className="space-y-3 rounded-xl border border-line bg-panel p-5">
      <h3 className="text-base font-medium">{WORDS.tryTheDemo}</h3>
      <p className="text-ink-2">
        {WORDS.agentsOfMadeUpShop}
      </p>
      <Button tone="accent" disabled={!ready || starting.isPending} onClick={() => starting.mutate(served)}>
        <Play aria-hidden className="size-4" />
        {starting.isPending ? WORDS.starting : WORDS.startTheDemo}
      </Button>
      {ready || workflows.isPending ? null : (
        <p role="status" className="text-xs text-ink-3">
          {WORDS.demoWorkerIsStillStarting}
        </p>
      )}
      {started ? (
        <p className="text-ink-2">
          {WORDS.demoWasStartedBefore}{" "}
          <button type="button" className="cursor-pointer text-accent underline underline-offset-2" disabled={again.isPending} onClick={() => again.mutate()}>
            {WORDS.showHowToBeOne}
          </button>
        </p>
      ) : null}
      {again.isError ? <Notice tone="error" title={problemFrom(again.error).message} /> : null}
      {starting.isError ? <Notice tone="error" title={problemFrom(starting.error).message} /> : null}
      <DemoChange />
    </section>
  );
}

function DemoGuide({ approvers }: { approvers: DemoApprover[] }) {
  return (
    <section className="space-y-4 rounded-xl border border-line bg-panel p-5">
      <h3 className="text-base font-medium">{WORDS.demoIsRunning}</h3>
      <p className="text-ink-2">
        {WORDS.threeAgentsOfMadeUp}
      </p>
      <ul className="list-disc space-y-1 pl-5 text-ink-2">
        <li>{WORDS.refundIsTooGenerous}</li>
        <li>{WORDS.exportContainsPersonalData}</li>
        <li>{WORDS.deploymentGoesToProduction}</li>
      </ul>
      <p className="text-ink-2">
        {WORDS.toActAsSomeoneElse}
      </p>
      <ul className="space-y-3">
        {approvers.map((one) => (
          <li key={one.name} className="space-y-1">
            <p>
              <span className="font-medium">{one.name}</span> <span className="text-ink-3">({words(one.role)})</span>
            </p>
            <Code text={one.link} label={WORDS.copyLinkFor(one.name)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
