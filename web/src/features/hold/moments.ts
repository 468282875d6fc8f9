/** What happened on a hold, in words and in order; what was overtaken says by what. */
import { changedBy, type HoldEvent } from "@/lib/amendments";
import type { Change } from "@/lib/changes";
import type { Entry, EventData } from "@/api/events.gen";
import type { Schemas } from "@/lib/api";
import { line, listed, plain, words } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { outcome, spoke } from "@/lib/wording";
import { TEXTS } from "@/features/hold/texts";

const WORDS = TEXTS.moments;

export interface Moment {
  key: string;
  at: string;
  what: string;
  text?: string;
  /** What an amendment made of what. */
  changes?: Change[];
  /** Why it no longer counts. */
  overtaken?: string;
}

/** As the list has it: with who was away, where the actor stood in for them, and whom it was assigned to. */
type Happened = Entry & { on_behalf_of?: { name: string } | null; person?: { id: string; name: string } | null };
type Delivery = Pick<Schemas["DeliveryOut"], "id" | "people" | "channel" | "status" | "attempts" | "last_error" | "queued_at" | "delivered_at">;
type Comment = { id: number; by: { name: string }; at: string; text: string };

export function moments(hold: Hold, events: HoldEvent[], comments: Comment[], deliveries: Delivery[] = []): Moment[] {
  const said = comments.map((one) => ({ key: `comment ${one.id}`, at: one.at, what: line(one.by.name), text: plain(one.text) }));
  const told = deliveries.flatMap((one) => toldOf(one) ?? []);
  return [...happened(hold, events), ...said, ...told].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** What became of a notice; nothing while it is on its way for the first time. */
function toldOf({ id, people, channel, status, attempts, last_error: error, queued_at: queued, delivered_at: arrived }: Delivery): Moment | null {
  const whom = listed(people.map((one) => line(one.name)), "and") || "others";
  const told = (what: string, at: string): Moment => ({ key: `delivery ${id}`, at, what, ...(error && status !== "delivered" ? { text: plain(error) } : {}) });
  if (status === "delivered") return told(WORDS.notifiedBy(whom, line(channel)), arrived ?? queued);
  if (status === "dead") return told(WORDS.couldNotNotifyBy(whom, line(channel)), queued);
  return attempts > 0 ? told(WORDS.tryingAgainToNotifyBy(whom, line(channel)), queued) : null;
}

function happened(hold: Hold, events: HoldEvent[]): Moment[] {
  const found: Moment[] = [];
  // approvals that count so far, by person, and the decision that stands
  const standing = new Map<string, Moment>();
  let decided: Moment | null = null;
  const overtake = (moment: Moment | null | undefined, why: string) => moment && (moment.overtaken ??= why);

  // the list of a hold's events has them as the stream does
  for (const event of events as unknown as Happened[]) {
    const moment = momentOf(event);
    const actor = event.actor?.id ?? "";
    switch (event.type) {
      case "hold.reviewed":
        if (event.data.verdict === "approve") standing.set(actor, moment);
        break;
      case "hold.decided":
        decided = moment;
        break;
      case "hold.amended":
        for (const one of [...standing.values(), decided]) overtake(one, WORDS.replacedByRevision(event.data.revision));
        standing.clear();
        if (event.data.counts_as_approval) standing.set(actor, moment);
        break;
      case "hold.withdrawn":
        overtake(standing.get(event.data.given_by ?? actor), "withdrawn");
        standing.delete(event.data.given_by ?? actor);
        overtake(decided, WORDS.anApprovalWasWithdrawn);
        break;
      case "hold.reopened":
        overtake(decided, WORDS.itWasReopened);
        decided = null;
        break;
    }
    found.push(moment);
  }
  // the hold itself knows best whose approval still counts
  const counting = new Set(hold.reviews.filter((review) => review.verdict === "approve").map((review) => review.by.id));
  for (const [who, moment] of standing) if (!counting.has(who) && !moment.changes) overtake(moment, WORDS.itNoLongerCounts);
  return found;
}

function momentOf(event: Happened): Moment {
  const who = event.actor ? spoke(event.actor, event.on_behalf_of) : "Handrail";
  const moment = (what: string, more: Partial<Moment> = {}): Moment => ({ key: String(event.seq), at: event.at, what, ...more });
  switch (event.type) {
    case "hold.opened":
      return moment(WORDS.requestedBy(who));
    case "hold.reviewed":
      return moment(`${who} ${event.data.verdict ? PAST[event.data.verdict] : WORDS.reviewedIt}`, because(event.data.reason));
    case "hold.amended": {
      const { revision, counts_as_approval: counts, changes: told, reason } = event.data;
      const what = WORDS.amendedItRevision(who, revision, counts ? WORDS.thisCountsAsAnApproval : "");
      return moment(what, { changes: changedBy(told), ...because(reason) });
    }
    case "hold.withdrawn":
      return moment(WORDS.withdrewTheirApproval(who), because(event.data.reason));
    case "hold.reopened":
      return moment((event.data.cause && REOPENED[event.data.cause]) ?? "Reopened");
    case "hold.escalated":
      return moment(WORDS.escalatedMorePeopleWereAsked);
    case "hold.decided":
      return moment(WORDS.decided(outcome({ outcome: event.data.outcome ?? "decided", basis: event.data.basis ?? "", by: event.actor, on_behalf_of: event.on_behalf_of ?? null })));
    case "hold.assigned": {
      const to = event.person;
      return moment(!to || to.id === event.actor?.id ? WORDS.claimedIt(who) : WORDS.assignedItTo(who, line(to.name)));
    }
    case "hold.released":
      return moment(WORDS.releasedItNobodyInParticular(who));
    case "hold.redeemed":
      return moment(WORDS.usedBy(who));
    case "hold.resulted":
      return moment(WORDS.ran(event.data.outcome ?? "unknown"));
    default:
      return moment(words(event.type.replace(".", " ")));
  }
}

const because = (reason?: string | null) => (reason ? { text: plain(reason) } : {});

const PAST = { amend: WORDS.amendedIt, approve: "approved", reject: "rejected", answer: "answered", respond: "responded" };
const REOPENED: Partial<Record<NonNullable<EventData["hold.reopened"]["cause"]>, string>> = {
  withdrawn: WORDS.reopenedBecauseAnApprovalWas,
  policy: WORDS.reopenedBecauseTheCurrentPolicy,
};
