/** The one-time code of a sign-in link, and where to go afterwards. */
export interface Link {
  code: string | null;
  next: string;
}

/** A code comes in the fragment, which browsers send to nobody; links that put it into the query are read too. */
export function readLink(address: { hash: string; search: string }): Link {
  const fragment = new URLSearchParams(address.hash.replace(/^#/, ""));
  const query = new URLSearchParams(address.search);
  return { code: fragment.get("code") ?? query.get("code"), next: safeNext(fragment.get("next") ?? query.get("next")) };
}

/** Only addresses of our own: a link must not send anybody elsewhere. */
export function safeNext(next: string | null): string {
  if (next === null || !next.startsWith("/") || next.startsWith("//") || next.includes("\\")) return "/inbox";
  return next.startsWith("/sign-in") ? "/inbox" : next;
}
