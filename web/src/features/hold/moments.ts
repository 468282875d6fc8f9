/** What happened on a hold, in words and in order; what was overtaken says by what. */
import type { Change } from "@/lib/changes";
import type { Schemas } from "@/lib/api";
import { line, plain, words } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { outcome } from "@/lib/wording";

export type HoldEvent = Schemas["HoldEvent"];

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

type Comment = { id: number; by: { name: string }; at: string; text: string };

export function moments(hold: Hold, events: HoldEvent[], comments: Comment[]): Moment[] {
  const said = comments.map((one) => ({ key: `comment ${one.id}`, at: one.at, what: line(one.by.name), text: plain(one.text) }));
  return [...happened(hold, events), ...said].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function happened(hold: Hold, events: HoldEvent[]): Moment[] {
  const found: Moment[] = [];
  // approvals that count so far, by person, and the decision that stands
  const standing = new Map<string, Moment>();
  let decided: Moment | null = null;
  const overtake = (moment: Moment | null | undefined, why: string) => moment && (moment.overtaken ??= why);

  for (const event of events) {
    const moment = momentOf(event);
    const actor = event.actor?.id ?? "";
    switch (event.type) {
      case "hold.reviewed":
        if (event.data["verdict"] === "approve") standing.set(actor, moment);
        break;
      case "hold.decided":
        decided = moment;
        break;
      case "hold.amended":
        for (const one of [...standing.values(), decided]) overtake(one, `replaced by revision ${String(event.data["revision"])}`);
        standing.clear();
        if (event.data["counts_as_approval"] === true) standing.set(actor, moment);
        break;
      case "hold.withdrawn":
        overtake(standing.get(actor), "withdrawn");
        standing.delete(actor);
        overtake(decided, "an approval was withdrawn");
        break;
      case "hold.reopened":
        overtake(decided, "it was reopened");
        decided = null;
        break;
    }
    found.push(moment);
  }
  // the hold itself knows best whose approval still counts
  const counting = new Set(hold.reviews.filter((review) => review.verdict === "approve").map((review) => review.by.id));
  for (const [who, moment] of standing) if (!counting.has(who) && !moment.changes) overtake(moment, "it no longer counts");
  return found;
}

function momentOf({ seq, type, at, actor, data }: HoldEvent): Moment {
  const who = actor ? line(actor.name) : "Handrail";
  const reason = typeof data["reason"] === "string" && type !== "hold.decided" ? { text: plain(data["reason"]) } : {};
  const moment = (what: string, more: Partial<Moment> = {}): Moment => ({ key: String(seq), at, what, ...reason, ...more });
  switch (type) {
    case "hold.opened":
      return moment(`Requested by ${who}`);
    case "hold.reviewed":
      return moment(`${who} ${PAST[String(data["verdict"])] ?? "reviewed it"}`);
    case "hold.amended": {
      const counts = data["counts_as_approval"] === true ? "; this counts as an approval" : "";
      return moment(`${who} amended it: revision ${String(data["revision"])}${counts}`, { changes: changesOf(data["changes"]) });
    }
    case "hold.withdrawn":
      return moment(`${who} withdrew their approval`);
    case "hold.reopened":
      return moment(REOPENED[String(data["cause"])] ?? "Reopened");
    case "hold.escalated":
      return moment("Escalated: more people were asked");
    case "hold.decided":
      return moment(`Decided: ${outcome({ outcome: String(data["outcome"]), basis: String(data["basis"]), by: actor })}`);
    case "hold.redeemed":
      return moment(`Used by ${who}`);
    case "hold.resulted":
      return moment(`Ran: ${String(data["outcome"])}`);
    default:
      return moment(words(type.replace(".", " ")));
  }
}

const PAST: Record<string, string> = { approve: "approved", reject: "rejected", answer: "answered" };
const REOPENED: Record<string, string> = {
  withdrawn: "Reopened because an approval was withdrawn",
  policy: "Reopened because the current policy requires more than was given. The approval is void",
};

function changesOf(told: unknown): Change[] {
  if (!Array.isArray(told)) return [];
  return (told as { path: string; from?: unknown; to?: unknown }[]).map(({ path, from, to }) => ({ path: line(path.replace(/^args\./, "")), was: from, is: to }));
}
