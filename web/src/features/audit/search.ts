/** Which entries, as the search part of the page's address. */
export interface AuditFilters {
  hold?: string;
  type?: string;
}

export function readAuditSearch(search: Record<string, unknown>): AuditFilters {
  const known = ["hold", "type"].map((name) => [name, search[name]] as const);
  return Object.fromEntries(known.filter(([, value]) => typeof value === "string" && value !== ""));
}
