/** A hold in words: what happens on approval, who must say yes, how it was decided. */
import { changeEffect, changeTitle } from "@/lib/change-holds";
import { line, listed, oneOf, plural, value, words } from "@/lib/format";
import type { Action, Hold, HoldRow } from "@/lib/holds";
import { TEXTS } from "@/lib/texts";

const WORDS = TEXTS.wording;

/** A piece of a sentence; `code` where it is the action's own text, `own` where it is another's word for something. */
export interface Part {
  text: string;
  code?: boolean;
  own?: boolean;
}

const code = (text: string): Part => ({ text: line(text), code: true });
const said = (text: string): Part => ({ text });
const named = (text: string): Part => ({ text: line(text), own: true });

/** What happens on approval, made of the action itself and never of what the agent says of it. */
export function effect(hold: Hold): Part[] {
  const who = named(hold.opened_by.name);
  if (!hold.action) return [who, said(hold.kind === "input" ? WORDS.isWaitingForYourAnswer : WORDS.isWaitingForYourConfirmation)];
  const { name, target, args } = hold.action;
  const upon = target ? [said(WORDS.upon), code(target)] : [];
  if (hold.kind === "input") return [who, said(WORDS.needsYourAnswerToContinue), code(name), ...upon, said(".")];
  const changed = changeEffect(hold);
  if (changed !== null) return [said(changed)];
  if (hold.items.length > 0) {
    return [said(WORDS.forEachItemYouApprove), who, said(WORDS.willRun), code(name), ...upon, said(WORDS.thereAre(hold.items.length))];
  }
  // only the server opens such a hold, and words it by its terms
  if (name === "handrail.grant" && hold.description) return [said(WORDS.ifApprovedFromThenOn), named(hold.description)];
  return [said(WORDS.ifApproved), who, said(WORDS.willRun), code(name), ...upon, ...withArgs(args), said(".")];
}

/** What happened without asking anybody. */
export function ranUnasked({ action, opened_by }: Hold): Part[] {
  if (!action) return [];
  const upon = action.target ? [said(WORDS.upon), code(action.target)] : [];
  return [named(opened_by.name), said(WORDS.ran), code(action.name), ...upon, ...withArgs(action.args), said(WORDS.withoutAsking)];
}

// more are counted: the arguments stand below in full
const MOST_ARGS = 3;

function withArgs(args: Record<string, unknown>): Part[] {
  const entries = Object.entries(args);
  const shown = entries.slice(0, MOST_ARGS).flatMap(([name, arg], index) => {
    const glue = index === 0 ? " with " : ", ";
    return [said(glue), named(name), said(" "), within(arg)];
  });
  const left = entries.length - MOST_ARGS;
  return left > 0 ? [...shown, said(WORDS.and(plural(left, WORDS.moreArgument)))] : shown;
}

/** A value on one line; of one that would have to be cut, how much there is in it. */
function within(arg: unknown): Part {
  const text = value(arg);
  if (typeof arg !== "object" || arg === null || !text.endsWith("…")) return code(text);
  return said(Array.isArray(arg) ? `(${plural(arg.length, "entry", "entries")})` : `(${plural(Object.keys(arg).length, "field")})`);
}

export function effectText(hold: Hold): string {
  return effect(hold)
    .map((part) => part.text)
    .join("");
}

/** An action by name, target and arguments; an argument cannot pass for one of the other two. */
export function fieldsOf({ name, target, args }: Action): Record<string, unknown> {
  const own = { action: name, ...(target == null ? {} : { target }) };
  const given = Object.entries(args).map(([arg, value]) => [arg === "action" || arg === "target" ? `${arg} (argument)` : arg, value] as const);
  return { ...own, ...Object.fromEntries<unknown>(given) };
}

/** What a name is made of: of a hold, or of its row. */
export type Named = Pick<HoldRow, "title" | "revision" | "action" | "run_id">;

/** What it is called: as who asked called it, until an amendment may have made that untrue; then as what it has become. */
export function headline(hold: Named): string {
  if (hold.revision === 1 || !hold.action) return line(hold.title);
  const changed = changeTitle(hold);
  if (changed !== null) return changed;
  const { name, target, args } = hold.action;
  const said = Object.entries(args).map(([key, arg]) => `${words(key)} ${value(arg)}`);
  const more = said.length > MOST_ARGS ? WORDS.andMore(said.length - MOST_ARGS) : "";
  return `${capital(words(name))}${said.length > 0 ? `: ${said.slice(0, MOST_ARGS).join(", ")}${more}` : ""}${target ? ` (${line(target)})` : ""}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function approvals(hold: Hold): number {
  return new Set(hold.reviews.filter((one) => one.verdict === "approve").map((one) => one.by.id)).size;
}

type Needing = Pick<HoldRow, "kind" | "requirements">;

export function approvalsNeeded(hold: Pick<HoldRow, "requirements">): number {
  return Math.max(hold.requirements.approvals, hold.requirements.required.length, 1);
}

// more fill a row
const MOST_ROLES = 3;

/** The same for a narrow place. */
export function needsBriefly(hold: Needing): string {
  const { roles, required, approvals: count } = hold.requirements;
  if (count <= 1 && required.length === 0 && roles.length > MOST_ROLES) return "1 approval";
  return required.length > 0 && required.length < count ? WORDS.approvals(count) : needs(hold);
}

/** Who must say yes: "a CTO and a tech lead", "2 of CTO, team lead or tech lead, including a CTO or tech lead". */
export function needs(hold: Needing): string {
  const { roles, required, approvals: count } = hold.requirements;
  if (hold.kind === "input" || (count <= 1 && required.length === 0)) return roles.length > 0 ? oneOf(roles) : "anyone";
  const groups = required.map(oneOf);
  if (groups.length >= count) return listed(groups, "and");
  const of = WORDS.of(count, listed([...roles].sort().map(words), "or"));
  return groups.length > 0 ? WORDS.including(of, listed(groups, "and")) : of;
}

/** "2 of 3", where more than one has to say yes. */
export function progress(hold: Hold): string | null {
  return progressOf(hold, approvals(hold));
}

/** The same, of so many who have said yes. */
export function progressOf(hold: Needing, given: number): string | null {
  const needed = approvalsNeeded(hold);
  return hold.kind === "input" || needed < 2 ? null : WORDS.of(given, needed);
}

/** What it still takes: "1 more approval from a CTO or tech lead"; nothing where all have said yes. */
export function missing(hold: Hold): string | null {
  const groups = unmet(hold);
  const count = Math.max(approvalsNeeded(hold) - approvals(hold), groups.length);
  if (count <= 0) return null;
  const by = groups.length === count ? groups.map(oneOf) : [oneOf(hold.requirements.roles)];
  const among = groups.length > 0 && groups.length < count ? WORDS.includingToo(listed(groups.map(oneOf), "and")) : "";
  return `${plural(count, WORDS.moreApproval)}${by[0] ? WORDS.from(listed(by, "and")) : ""}${among}`;
}

/** The groups that nobody who approved stands for; each person stands for one. */
function unmet(hold: Hold): string[][] {
  const people = new Map(hold.reviews.filter((one) => one.verdict === "approve").map((one) => [one.by.id, one.roles]));
  const narrowFirst = [...hold.requirements.required].sort((a, b) => a.length - b.length);
  return narrowFirst.filter((group) => {
    const found = [...people].find(([, roles]) => roles.some((role) => group.includes(role)));
    return !(found && people.delete(found[0]));
  });
}

/** Whether this person's approval stands and can be taken back: until it is used. */
export function canWithdraw(hold: Hold, person: string): boolean {
  const approved = hold.reviews.some((review) => [review.by.id, review.on_behalf_of?.id].includes(person) && review.verdict === "approve");
  return approved && hold.redeemed === null && (hold.status === "approved" || hold.status === "pending");
}

/** Who spoke: "Ann", or "Ann for Bob" where Bob was away. */
export function spoke(by: { name: string }, absent?: { name: string } | null): string {
  return absent ? WORDS.inPlaceOf(line(by.name), line(absent.name)) : line(by.name);
}

/** "approved by Mara", "approved by Ann for Bob", "expired", "rejected by the brake". */
export function outcome(decision: { outcome: string; basis: string; by: { name: string } | null; on_behalf_of?: { name: string } | null }): string {
  if (decision.by) return WORDS.by(decision.outcome, spoke(decision.by, decision.on_behalf_of));
  const by: Record<string, string> = { policy: WORDS.byPolicy, brake: WORDS.byTheBrake, observation: WORDS.unaskedOnlyObserved, grant: WORDS.byAGrant };
  return decision.outcome + (by[decision.basis] ?? "");
}
