/** Channels and what became of notifications: for whoever looks after them. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ChannelTest } from "@/components/channel-test";
import { Page, Panel } from "@/components/page";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { Waiting } from "@/components/ui/waiting";
import { deliveriesQuery, retry } from "@/features/notifications/api";
import { TEXTS } from "@/features/notifications/texts";
import { problemFrom } from "@/lib/api";
import { channelsQuery, named, type Channel, type Delivery, type DeliveryStatus } from "@/lib/channels";
import { line } from "@/lib/format";

const WORDS = TEXTS.notificationsPage;

export function NotificationsPage() {
  return (
    <Page
      title={WORDS.notifications}
      intro={WORDS.howPeopleHearOfHolds}
      actions={
        <Link to="/notifications/preview" className="inline-flex h-9 items-center rounded-md border border-line bg-panel px-3.5 font-medium hover:bg-sunken">
          {WORDS.previewMessages}
        </Link>
      }
    >
      <Channels />
      <Deliveries />
    </Page>
  );
}

function Channels() {
  const found = useQuery(channelsQuery);
  return (
    <Panel title={WORDS.channels} note={WORDS.policysRoutesSayWhoIs}>
      {found.isError ? <Notice tone="error" title={problemFrom(found.error).message} /> : null}
      {found.isPending ? <Waiting what={WORDS.theChannels} /> : null}
      <ul aria-label={WORDS.channels} className="-my-2 divide-y divide-line">
        {found.data?.map((one) => (
          <li key={one.name} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
            <span className="min-w-0 flex-1 basis-56">
              <span className="block font-medium">{named(one.name)}</span>
              <span className="block text-xs text-ink-3">{about(one)}</span>
            </span>
            {one.set_up && one.reaches ? <ChannelTest channel={one.name} /> : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function about(one: Channel): string {
  if (!one.set_up) return WORDS.notSetUpIsMissing(one.needs);
  const where = one.shared ? WORDS.onePlaceForAll : one.reaches ? WORDS.reachesEachPersonYouToo : WORDS.reachesEachPersonButNot;
  return one.named ? where : WORDS.noRouteOfThePolicy(where);
}

const STATUSES: [DeliveryStatus, string][] = [
  ["dead", WORDS.notDelivered],
  ["queued", "Waiting"],
  ["delivered", "Delivered"],
];

function Deliveries() {
  const [status, setStatus] = useState<DeliveryStatus>("dead");
  const found = useQuery(deliveriesQuery(status));
  return (
    <Panel
      title={WORDS.deliveries}
      actions={
        <Select aria-label={WORDS.whichDeliveries} className="h-8 w-40" value={status} onChange={(e) => setStatus(e.target.value as DeliveryStatus)}>
          {STATUSES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      }
    >
      {found.isError ? (
        <Notice tone="error" title={problemFrom(found.error).message} />
      ) : found.isPending ? (
        <Waiting what={WORDS.whatDeliveries} />
      ) : found.data.deliveries.length === 0 ? (
        <p className="py-6 text-center text-ink-3">{status === "dead" ? WORDS.everythingWasDelivered : WORDS.thereAreNone}</p>
      ) : (
        <ul aria-label={WORDS.deliveries} className="-my-2 divide-y divide-line">
          {found.data.deliveries.map((one) => (
            <Row key={one.id} one={one} />
          ))}
        </ul>
      )}
      {found.data?.next ? <p className="pt-3 text-xs text-ink-3">{WORDS.theseAreOldest100}</p> : null}
    </Panel>
  );
}

const EVENTS: Record<string, string> = {
  "hold.opened": WORDS.decisionNeeded,
  "hold.amended": "Amended",
  "hold.reopened": "Reopened",
  "hold.escalated": "Escalated",
  "hold.reminded": "Reminder",
  "hold.commented": "Comment",
};

function Row({ one }: { one: Delivery }) {
  const queries = useQueryClient();
  const trying = useMutation({ mutationFn: () => retry(one.id), onSettled: () => queries.invalidateQueries({ queryKey: ["deliveries"] }) });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <span className="min-w-0 flex-1 basis-64">
        <span className="block">
          <Link to="/holds/$holdId" params={{ holdId: one.hold_id }} className="font-medium underline-offset-2 hover:underline">
            {EVENTS[one.event] ?? one.event}
          </Link>{" "}
          {WORDS.byTo(named(one.channel))} {one.people.map((who) => line(who.name)).join(", ") || WORDS.noOneInParticular}
        </span>
        <span className="block text-xs break-words text-ink-3">
          {one.attempts} {one.attempts === 1 ? WORDS.try : WORDS.tries} {WORDS.queued} <Ago at={one.queued_at} /> {WORDS.route(line(one.route))}
          {one.last_error ? <span className="text-critical"> · {line(one.last_error)}</span> : null}
        </span>
        {trying.isError ? <span className="block text-xs text-critical">{problemFrom(trying.error).message}</span> : null}
      </span>
      {one.status === "dead" ? (
        <Button size="sm" disabled={trying.isPending} onClick={() => trying.mutate()}>
          {WORDS.tryAgain}
        </Button>
      ) : null}
    </li>
  );
}
