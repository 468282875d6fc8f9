/** The period of the report, as the search part of its address: two days. */
export interface ReportSearch {
  from?: string;
  to?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const days = (["from", "to"] as const).map((name) => [name, search[name]] as const);
  return Object.fromEntries(days.filter(([, day]) => typeof day === "string" && DAY.test(day) && !Number.isNaN(Date.parse(day))));
}
