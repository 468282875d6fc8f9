/** The run as a picture, live or at an earlier moment, with its steps by node. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Section } from "@/components/section";
import { Graph } from "@/features/runs/Graph";
import { Scrubber } from "@/features/runs/Scrubber";
import { edgesOf } from "@/features/runs/diagram";
import { statusAt } from "@/features/runs/moments";
import { Steps } from "@/features/runs/Steps";
import { TEXTS } from "@/features/runs/texts";
import { edgesFor, standing, traced } from "@/features/runs/trace";
import { failure } from "@/lib/run-wording";
import { isActive, type RunDetail } from "@/lib/runs";
import type { Part } from "@/lib/story";
import { workflowsQuery } from "@/lib/workflows";

interface Props {
  run: RunDetail;
  parts: Part[];
  moment: number | null;
  onMoment: (moment: number | null) => void;
}

export default function Pictured({ run, parts, moment, onMoment }: Props) {
  const workflow = useQuery(workflowsQuery).data?.find((one) => one.name === run.workflow);
  const [open, setOpen] = useState<string | null>(null);
  // a drawn graph stays as it is while the run goes on: it is arranged once
  const drawn = useMemo(() => edgesOf(workflow?.diagram ?? ""), [workflow?.diagram]);
  const gone = useMemo(() => (drawn.length > 0 ? drawn : edgesFor(null, parts)), [drawn, parts]);
  const edges = drawn.length > 0 ? drawn : gone;
  const told = moment === null ? parts : parts.slice(0, moment);
  const trace = useMemo(() => traced(moment === null ? parts : parts.slice(0, moment), edges, run.input), [parts, moment, edges, run.input]);
  const failedAt = run.status === "failed" ? (failure(run.error)?.node ?? null) : null;
  const states = standing(trace, edges, moment === null ? { status: run.status, failedAt } : { status: statusAt(told), failedAt: null });
  if (edges.length === 0) return null;
  return (
    <>
      <Section title={TEXTS.graph.title}>
        <Graph edges={edges} trace={trace} states={states} onPick={setOpen} />
        {workflow?.version && run.version && workflow.version !== run.version ? <p className="text-xs text-ink-3">{TEXTS.graph.changed}</p> : null}
        {isActive(run) ? null : <Scrubber parts={parts} moment={moment} onChange={onMoment} />}
      </Section>
      <Steps trace={trace} open={open} onOpen={setOpen} />
    </>
  );
}
