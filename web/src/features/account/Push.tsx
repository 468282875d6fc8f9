/** Notifications on one's devices: switch this one on, and any of them off. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Panel } from "@/components/page";
import { Sure } from "@/components/tokens";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { browserName } from "@/features/account/browsers";
import { TEXTS } from "@/features/account/texts";
import { problemFrom } from "@/lib/api";
import { line } from "@/lib/format";
import { canPush, pushQuery, switchOff, switchOn, type Device } from "@/lib/push";

const WORDS = TEXTS.push;

export function Push() {
  const queries = useQueryClient();
  const found = useQuery(pushQuery);
  const settle = { onSettled: () => queries.invalidateQueries({ queryKey: pushQuery.queryKey }) };
  const on = useMutation({ mutationFn: (key: string) => switchOn(key, browserName(navigator.userAgent)), ...settle });
  const off = useMutation({ mutationFn: switchOff, ...settle });
  // not set up on this server
  if (found.error && problemFrom(found.error).status === 404) return null;
  const problem = on.error ?? off.error ?? found.error;
  const here = found.data?.devices.some((one) => one.fingerprint === found.data.here);

  return (
    <Panel title={WORDS.notificationsOnYourDevices} note={WORDS.alsoWhileHandrailIsClosed}>
      {problem ? <Notice tone="error" title={problemFrom(problem).message} className="mb-3" /> : null}
      {found.data?.devices.length ? (
        <ul aria-label={WORDS.devices} className="-mt-2 mb-3 divide-y divide-line">
          {found.data.devices.map((one) => (
            <DeviceRow key={one.id} one={one} here={one.fingerprint === found.data.here} disabled={off.isPending} onOff={() => off.mutate(one.id)} />
          ))}
        </ul>
      ) : null}
      {found.data && !here ? (
        canPush() ? (
          <Button disabled={on.isPending} onClick={() => on.mutate(found.data.public_key)}>
            {on.isPending ? WORDS.switchingOn : WORDS.switchOnForThisDevice}
          </Button>
        ) : (
          <p className="text-sm text-ink-2">{WORDS.thisBrowserOffersNoNotifications}</p>
        )
      ) : null}
      <p className="pt-3 text-xs text-ink-3">
        {WORDS.notificationShowsTitle}
        {found.data && !found.data.notified ? WORDS.atMomentNothingIsSent : null}
      </p>
    </Panel>
  );
}

function DeviceRow({ one, here, disabled, onOff }: { one: Device; here: boolean; disabled: boolean; onOff: () => void }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <span className="min-w-0 flex-1 basis-48">
        <span className="block truncate font-medium">{line(one.label)}</span>
        <span className="block text-xs text-ink-3">
          {WORDS.onSince} <Ago at={one.added_at} />
        </span>
      </span>
      {here ? <span className="text-xs font-medium text-good">{WORDS.thisBrowser}</span> : null}
      <Sure label={WORDS.switchOff} about={line(one.label)} disabled={disabled} onSure={onOff} />
    </li>
  );
}
