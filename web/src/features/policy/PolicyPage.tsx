/** The policy in force in words, what it says of an action, and how it came to be. */
import { useQuery } from "@tanstack/react-query";
import { Page, Panel } from "@/components/page";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { Waiting } from "@/components/ui/waiting";
import { policyQuery } from "@/features/policy/api";
import { History } from "@/features/policy/History";
import { Summary } from "@/features/policy/Summary";
import { TryAction } from "@/features/policy/TryAction";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";

export function PolicyPage() {
  const policy = useQuery(policyQuery);
  return (
    <Page title="Policy" intro="How risky each action is, and who must approve it.">
      <TryAction />
      {policy.isError ? (
        <Notice tone="error" title={problemFrom(policy.error).message} />
      ) : policy.isPending ? (
        <Waiting what="the policy" />
      ) : (
        <Panel
          title={`In force: version ${policy.data.version}`}
          note={
            <>
              applied {policy.data.applied_by ? `by ${line(policy.data.applied_by.name)} ` : "at the first start, "}
              <Ago at={policy.data.applied_at} />
            </>
          }
        >
          <Summary policy={policy.data} />
        </Panel>
      )}
      <History />
    </Page>
  );
}
