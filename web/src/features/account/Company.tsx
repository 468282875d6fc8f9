/** The company's sign-in: which one the account belongs to, or a way to link it. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Panel } from "@/components/page";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { linkToCompany, ownCompanyQuery, providersQuery } from "@/features/account/api";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";

export function Company() {
  const found = useQuery(providersQuery);
  const own = useQuery(ownCompanyQuery);
  const linking = useMutation({ mutationFn: linkToCompany, onSuccess: (url) => location.assign(url) });
  if (!found.data?.providers.length || own.data === undefined) return null;
  return (
    <Panel title="Company sign-in">
      {linking.isError ? <Notice tone="error" title={problemFrom(linking.error).message} className="mb-3" /> : null}
      {own.data.provider !== null ? (
        <p>You sign in with {line(own.data.title ?? own.data.provider)}. Your roles come from your groups there.</p>
      ) : (
        <div className="space-y-3">
          <p className="text-ink-2">After you link your account, you sign in there, and your roles come from your groups.</p>
          <div className="flex flex-wrap gap-2">
            {found.data.providers.map((one) => (
              <Button key={one.name} disabled={linking.isPending} onClick={() => linking.mutate(one.name)}>
                Link to {line(one.title)}…
              </Button>
            ))}
          </div>
        </div>
      )}
    </Panel>
  );
}
