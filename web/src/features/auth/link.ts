/** The one-time code of a sign-in link, and where to go afterwards. */
import { TEXTS } from "@/features/auth/texts";

const WORDS = TEXTS.link;
export interface Link {
  code: string | null;
  next: string;
  /** Whether it waits for a click: scanners open the links of mail, run what the page runs, and submit forms. */
  waits: boolean;
}

/** A code comes in the fragment, which browsers send to nobody; links that put it into the query are read too. */
export function readLink(address: { hash: string; search: string }): Link {
  const fragment = new URLSearchParams(address.hash.replace(/^#/, ""));
  const query = new URLSearchParams(address.search);
  return {
    code: fragment.get("code") ?? query.get("code"),
    next: safeNext(fragment.get("next") ?? query.get("next")),
    waits: fragment.get("by") === "mail",
  };
}

/** Only addresses of our own: a link must not send anybody elsewhere. */
export function safeNext(next: string | null): string {
  if (next === null || !next.startsWith("/") || next.startsWith("//") || next.includes("\\")) return "/inbox";
  return next.startsWith("/sign-in") ? "/inbox" : next;
}

/** Why the company's sign-in sent somebody back. The address has only a code: it cannot make the page say anything else. */
export function companyProblem(search: string): string | null {
  const code = new URLSearchParams(search).get("problem");
  return code === null ? null : (COMPANY_PROBLEMS[code] ?? WORDS.youCouldNotBeSigned);
}

const COMPANY_PROBLEMS: Readonly<Record<string, string>> = {
  sso_flow_ended: WORDS.startAgain,
  sso_refused: WORDS.notConfirmed,
  sso_no_role: WORDS.noneOfYourGroupsGives,
  sso_conflict: WORDS.anotherAccountAlreadyHasYour,
  sso_unreachable: WORDS.companyUnreachable,
  principal_inactive: WORDS.yourAccountIsNotActive,
  last_administrator: WORDS.theLastLocalAdministratorCannot,
};
