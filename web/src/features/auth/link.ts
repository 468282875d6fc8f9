/** The one-time code of a sign-in link, and where to go afterwards. */
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
  return code === null ? null : (COMPANY_PROBLEMS[code] ?? "You could not be signed in. Try again, or ask an administrator.");
}

const COMPANY_PROBLEMS: Readonly<Record<string, string>> = {
  sso_flow_ended: "This sign-in was started in another browser, was already used or took too long. Start again.",
  sso_refused: "Your company's sign-in did not confirm who you are. Try again, or ask an administrator.",
  sso_no_role: "None of your groups gives you a role here. Ask an administrator to add one of them to the table.",
  sso_conflict: "Another account already has your name or email address. If it is yours, sign in to it and link it under Your account.",
  sso_unreachable: "Your company's sign-in cannot be reached. Try again in a moment.",
  principal_inactive: "Your account is not active. Ask an administrator.",
  last_administrator: "The last local administrator cannot be linked. Make another person an administrator first.",
};
