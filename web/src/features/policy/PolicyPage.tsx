/** The policy in force in words, what it says of an action, and how it came to be. */
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { Page, Panel } from "@/components/page";
import { Button, buttonLook } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { Waiting } from "@/components/ui/waiting";
import { policyQuery } from "@/features/policy/api";
import { History } from "@/features/policy/History";
import { Summary } from "@/features/policy/Summary";
import { TEXTS } from "@/features/policy/texts";
import { TryAction } from "@/features/policy/TryAction";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";
import { lazy } from "@/lib/lazy";
import { administers, useMe } from "@/lib/me";

// for administrators, and only when they want it
const Editor = lazy(() => import("@/features/policy/Editor"));

export function PolicyPage() {
  const policy = useQuery(policyQuery);
  const me = useMe();
  const search: { edit?: boolean } = useSearch({ from: "/shell/policy" });
  const [editing, setEditing] = useState(search.edit ?? false);
  if (editing && policy.data && administers(me)) {
    return (
      <Page title={TEXTS.title} intro={TEXTS.about}>
        <Suspense fallback={<Waiting what={TEXTS.loading} />}>
          <Editor policy={policy.data} onClose={() => setEditing(false)} />
        </Suspense>
      </Page>
    );
  }
  return (
    <Page
      title={TEXTS.title}
      intro={TEXTS.about}
      actions={
        <>
          <Link to="/grants" className={buttonLook()}>
            {TEXTS.grants}
          </Link>
          {administers(me) && policy.data ? <Button onClick={() => setEditing(true)}>{TEXTS.edit}</Button> : null}
        </>
      }
    >
      <TryAction />
      {policy.isError ? (
        <Notice tone="error" title={problemFrom(policy.error).message} />
      ) : policy.isPending ? (
        <Waiting what={TEXTS.waiting} />
      ) : (
        <Panel
          title={TEXTS.inForce(policy.data.version)}
          note={
            <>
              {policy.data.applied_by ? TEXTS.appliedBy(line(policy.data.applied_by.name)) : TEXTS.appliedFirst} <Ago at={policy.data.applied_at} />
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
