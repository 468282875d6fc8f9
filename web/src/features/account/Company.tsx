/** The company's sign-in: which one the account belongs to, or a way to link it. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Panel } from "@/components/page";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { linkToCompany, ownCompanyQuery, providersQuery } from "@/features/account/api";
import { TEXTS } from "@/features/account/texts";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";

const WORDS = TEXTS.company;

export function Company() {
  const found = useQuery(providersQuery);
  const own = useQuery(ownCompanyQuery);
  const linking = useMutation({ mutationFn: linkToCompany, onSuccess: (url) => location.assign(url) });
  if (!found.data?.providers.length || own.data === undefined) return null;
  return (
    <Panel title={WORDS.companySignIn}>
      {linking.isError ? <Notice tone="error" title={problemFrom(linking.error).message} className="mb-3" /> : null}
      {own.data.provider !== null ? (
        <p>{WORDS.youSignInWith(line(own.data.title ?? own.data.provider))}</p>
      ) : (
        <div className="space-y-3">
          <p className="text-ink-2">{WORDS.afterYouLinkYourAccount}</p>
          <div className="flex flex-wrap gap-2">
            {found.data.providers.map((one) => (
              <Button key={one.name} disabled={linking.isPending} onClick={() => linking.mutate(one.name)}>
                {WORDS.linkTo(line(one.title))}
              </Button>
            ))}
          </div>
        </div>
      )}
    </Panel>
  );
}
