import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { DemoChange } from "@/components/demo-change";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { Notice } from "@/components/ui/notice";
import { demoQuery, demoStartedQuery, isOfDemo, useDemoLinks, useStartDemo, type DemoApprover } from "@/features/inbox/demo";
import { problemFrom } from "@/lib/api";
import { words } from "@/lib/format";
import { workflowsQuery } from "@/lib/workflows";

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
      <h3 className="text-base font-medium">Try the demo</h3>
      <p className="text-ink-2">
        The agents of a made-up shop want to deploy, issue a refund and export data, and they ask you first. A script stands in for the model,
        so you need no key, and nothing real happens.
      </p>
      <Button tone="accent" disabled={!ready || starting.isPending} onClick={() => starting.mutate(served)}>
        <Play aria-hidden className="size-4" />
        {starting.isPending ? "Starting…" : "Start the demo"}
      </Button>
      {ready || workflows.isPending ? null : (
        <p role="status" className="text-xs text-ink-3">
          The demo worker is still starting.
        </p>
      )}
      {started ? (
        <p className="text-ink-2">
          The demo was started before. Its approvers, Demo Dana and Demo Toni, are still here.{" "}
          <button type="button" className="cursor-pointer text-accent underline underline-offset-2" disabled={again.isPending} onClick={() => again.mutate()}>
            Show how to be one of them
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
      <h3 className="text-base font-medium">The demo is running</h3>
      <p className="text-ink-2">
        Three agents of a made-up shop are working. Their requests appear in the list of holds. Open each one and decide:
      </p>
      <ul className="list-disc space-y-1 pl-5 text-ink-2">
        <li>The refund is too generous. Amend the amount, then approve the new version.</li>
        <li>The export contains personal data. Approve it, or reject it with a reason.</li>
        <li>The deployment goes to production, so it needs two people: you and someone else.</li>
      </ul>
      <p className="text-ink-2">
        To act as someone else, open one of these links in a private window. Each link works once and signs in a demo approver. In this window
        it would sign you out.
      </p>
      <ul className="space-y-3">
        {approvers.map((one) => (
          <li key={one.name} className="space-y-1">
            <p>
              <span className="font-medium">{one.name}</span> <span className="text-ink-3">({words(one.role)})</span>
            </p>
            <Code text={one.link} label={`Copy the link for ${one.name}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
