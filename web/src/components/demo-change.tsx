/** Offers the demo of a code change, which plays on its own page. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { GitPullRequestArrow } from "lucide-react";
import { TEXTS } from "@/components/texts";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { problemFrom } from "@/lib/api";
import { DEMO_CHANGE, useDemoChange } from "@/lib/demo";
import { workflowsQuery } from "@/lib/workflows";

const WORDS = TEXTS.demoChange;

export function DemoChange() {
  const navigate = useNavigate();
  const workflow = useQuery(workflowsQuery).data?.find((one) => one.name === DEMO_CHANGE);
  const starting = useDemoChange((id) => void navigate({ to: "/changes/$changeId", params: { changeId: id } }));
  return (
    <>
      <p className="text-ink-2">
        {WORDS.orWatchAgentChangeCode}
      </p>
      <Button disabled={!workflow || starting.isPending} onClick={() => workflow && starting.mutate(workflow)}>
        <GitPullRequestArrow aria-hidden className="size-4" />
        {starting.isPending ? WORDS.starting : WORDS.watchCodeChange}
      </Button>
      {starting.isError ? <Notice tone="error" title={problemFrom(starting.error).message} /> : null}
    </>
  );
}
