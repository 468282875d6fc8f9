/** How one is notified: by which channels first, and when not. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { useState, type SyntheticEvent } from "react";
import { ChannelTest } from "@/components/channel-test";
import { Panel } from "@/components/page";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { TEXTS } from "@/features/account/texts";
import { problemFrom } from "@/lib/api";
import { channelsQuery, choiceQuery, choose, named, type Channel, type Choice } from "@/lib/channels";

const WORDS = TEXTS.notifications;

export function Notifications() {
  const channels = useQuery(channelsQuery);
  const chosen = useQuery(choiceQuery);
  const problem = channels.error ?? chosen.error;
  if (problem) return <Notice tone="error" title={problemFrom(problem).message} />;
  const own = channels.data?.filter((one) => one.set_up && !one.shared) ?? [];
  // not set up on this server
  if (!channels.data || !chosen.data || own.length === 0) return null;
  return (
    <Panel title={WORDS.notifications} note={WORDS.howYouHearOfHolds}>
      {/* a refetch must not undo what is being chosen */}
      <Chosen own={own} choice={chosen.data} />
    </Panel>
  );
}

type Own = NonNullable<Choice["channels"]>[number];
type Way = "policy" | "chosen";

const HINTS: Record<string, string> = { slack: WORDS.linkYourAccountBelow, email: WORDS.anAdministratorCanAddYour, push: WORDS.switchItOnForA };

function Chosen({ own, choice }: { own: Channel[]; choice: Choice }) {
  const queries = useQueryClient();
  const [way, setWay] = useState<Way>(choice.channels ? "chosen" : "policy");
  const [order, setOrder] = useState<Own[]>(choice.channels ?? []);
  const [quiet, setQuiet] = useState(Boolean(choice.quiet));
  const [begins, setBegins] = useState(choice.quiet?.begins.slice(0, 5) ?? "22:00");
  const [ends, setEnds] = useState(choice.quiet?.ends.slice(0, 5) ?? "07:00");
  const [zone, setZone] = useState(choice.quiet?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const saving = useMutation({ mutationFn: choose, onSuccess: (saved) => queries.setQueryData(choiceQuery.queryKey, saved) });
  const rows = [...order, ...own.map((one) => one.name as Own).filter((name) => !order.includes(name))];

  function save(event: SyntheticEvent) {
    event.preventDefault();
    saving.mutate({ channels: way === "policy" ? null : order, quiet: quiet ? { begins, ends, timezone: zone } : null });
  }

  return (
    <form onSubmit={save} className="space-y-4">
      <fieldset className="space-y-2">
        <legend className="mb-1.5 font-medium">{WORDS.channels}</legend>
        <label className="flex items-center gap-2">
          <input type="radio" name="way" checked={way === "policy"} onChange={() => setWay("policy")} /> {WORDS.asPolicySays}
        </label>
        <label className="flex items-center gap-2">
          <input type="radio" name="way" checked={way === "chosen"} onChange={() => setWay("chosen")} /> {WORDS.theseFirst}
        </label>
      </fieldset>
      <ul aria-label={WORDS.yourChannels} className="divide-y divide-line rounded-lg border border-line px-4">
        {rows.map((name) => {
          const about = own.find((one) => one.name === name);
          const place = order.indexOf(name);
          return (
            <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
              <label className="flex min-w-0 flex-1 basis-40 items-center gap-2">
                {way === "chosen" ? <input type="checkbox" checked={place >= 0} onChange={(e) => setOrder(e.target.checked ? [...order, name] : order.filter((one) => one !== name))} /> : null}
                <span>
                  <span className="block font-medium">{named(name)}</span>
                  <span className="block text-xs text-ink-3">{about?.reaches ? WORDS.reachesYou : WORDS.doesNotReachYouYet(HINTS[name] ?? "")}</span>
                </span>
              </label>
              {way === "chosen" && place > 0 ? (
                <Button size="sm" aria-label={WORDS.tryEarlier(named(name))} onClick={() => setOrder(earlier(order, place))}>
                  <ArrowUp aria-hidden className="size-4" />
                </Button>
              ) : null}
              {about?.reaches ? <ChannelTest channel={name} /> : null}
            </li>
          );
        })}
      </ul>
      {way === "chosen" && order.length === 0 ? <p className="text-sm text-ink-2">{WORDS.withNoneOfThemYou}</p> : null}
      <fieldset className="space-y-3">
        <legend className="sr-only">{WORDS.quietHours}</legend>
        <label className="flex items-center gap-2 font-medium">
          <input type="checkbox" checked={quiet} onChange={(e) => setQuiet(e.target.checked)} /> {WORDS.quietHours}
        </label>
        {quiet ? (
          <div className="grid gap-3 sm:grid-cols-3">
            <Field label={WORDS.from}>{(props) => <Input {...props} type="time" required value={begins} onChange={(e) => setBegins(e.target.value)} />}</Field>
            <Field label={WORDS.to}>{(props) => <Input {...props} type="time" required value={ends} onChange={(e) => setEnds(e.target.value)} />}</Field>
            <Field label={WORDS.timeZone}>{(props) => <Input {...props} required value={zone} onChange={(e) => setZone(e.target.value)} maxLength={200} />}</Field>
          </div>
        ) : null}
      </fieldset>
      {saving.isError ? <Notice tone="error" title={problemFrom(saving.error).message} /> : null}
      <div className="flex items-center gap-3">
        <Button type="submit" disabled={saving.isPending}>
          {saving.isPending ? WORDS.saving : WORDS.save}
        </Button>
        <span role="status" className="text-xs text-good">
          {saving.isSuccess ? WORDS.saved : null}
        </span>
      </div>
      <p className="text-xs text-ink-3">
        {WORDS.criticalHoldsAreSentAs}
      </p>
    </form>
  );
}

function earlier(order: Own[], place: number): Own[] {
  const moved = [...order];
  moved.splice(place - 1, 0, ...moved.splice(place, 1));
  return moved;
}
