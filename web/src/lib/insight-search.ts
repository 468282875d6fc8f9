/** What the figures are of, as the search part of the page's address: it can be shared and gone back from. */
import type { LinkProps } from "@tanstack/react-router";

export const PERIODS = ["1d", "7d", "30d", "90d", "365d"] as const;
export type Period = (typeof PERIODS)[number];
export const USUAL: Period = "30d";

const TEXTS = ["agent", "action", "rule", "risk", "kind", "status", "asked", "decided", "person", "happened", "from", "to"] as const;
const NUMBERS = ["hour", "weekday", "longer", "shorter"] as const;
export const NARROWING = [...TEXTS, ...NUMBERS] as const;

export type InsightSearch = Partial<Record<(typeof TEXTS)[number], string>> &
  Partial<Record<(typeof NUMBERS)[number], number>> & {
    period?: Period;
    /** The holds that are counted are listed. */
    show?: true;
  };

export function readInsightSearch(search: Record<string, unknown>): InsightSearch {
  const found: Record<string, unknown> = {};
  for (const name of TEXTS) if (typeof search[name] === "string" && search[name] !== "") found[name] = search[name];
  for (const name of NUMBERS) if (Number.isFinite(search[name])) found[name] = search[name];
  const period = PERIODS.find((one) => one === search["period"]);
  if (period && period !== USUAL) found["period"] = period;
  if (search["show"] === true) found["show"] = true;
  return found;
}

/** The same, narrowed further, with the holds listed. */
export function behind(search: InsightSearch, change: InsightSearch): LinkProps {
  return { to: "/insights", search: readInsightSearch({ ...search, ...change, show: true }) } as LinkProps;
}

const DAY = 86_400_000;

/** What is asked of the server. The period ends at the next full minute, so that the same question is asked once. */
export function asked(search: InsightSearch, now: number): { since: string; until: string } & Record<string, string | number> {
  const { period = USUAL, show: _, from, to, ...rest } = search;
  const until = Math.ceil(now / 60_000) * 60_000;
  return {
    ...rest,
    since: from ?? new Date(until - Number.parseInt(period) * DAY).toISOString(),
    until: to ?? new Date(until).toISOString(),
  };
}

/** What waits now is of every time. */
export function askedOfHolds(search: InsightSearch, now: number): Record<string, string | number> {
  const { since, until, ...rest } = asked(search, now);
  return rest["status"] === "pending" && !search.from ? rest : { ...rest, since, until };
}
