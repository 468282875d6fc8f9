/** Every word of these pages, in one place: to be read together, and to be translated. */

export const TEXTS = {
  figure: {
    save: (title: string) => `Save: ${title}`,
    csv: "Numbers as CSV",
    png: "Picture as PNG",
    failed: "The picture could not be made.",
    numbers: "Numbers",
  },
  outcomePlot: {
    title: { agents: "What becomes of it, by agent", actions: "By action", rules: "By rule", risks: "By risk" },
    name: { agents: "Agent", actions: "Action", rules: "Rule", risks: "Risk" },
    said: (first: string | null, rejected: string | null) =>
      first === null ? "People were asked nothing in this period." : `Most often asked: ${first}.${rejected ? ` Most often rejected: ${rejected}.` : ""}`,
    statuses: { approved: "approved", answered: "answered", rejected: "rejected", expired: "expired", cancelled: "cancelled", pending: "waiting" },
    unasked: "nobody asked",
    median: "p50",
    part: (name: string, count: number, status: string) => `${name}: ${count.toLocaleString("en")} ${status}`,
  },
} as const;
