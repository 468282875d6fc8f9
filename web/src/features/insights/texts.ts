/** Every word of the page *Insights*. */
import { listed, plural, share, span } from "@/lib/format";

const length = (seconds: number | null) => (seconds === null ? "–" : span(seconds * 1000));

export const TEXTS = {
  fatigue: "Fatigue",
  samples: (waiting: number) => (waiting === 0 ? "Samples" : `Samples: ${waiting} to look at`),
  title: "Insights",
  intro: "How quickly people decide, what waits, and what becomes of it. Every number leads to its holds.",
  loading: "the figures",
  period: "Period",
  periods: { "1d": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days", "365d": "A year" },
  narrowedTo: "Narrowed to",
  clear: "Clear",
  remove: (what: string) => `Remove filter: ${what}`,
  length,
  share,
  capped: (count: number, since: string) => `There are more holds than can be counted at once. These are the newest ${count.toLocaleString("en")}, opened since ${since}.`,
  nothing: "No holds match in this period.",
  nothingHint: "Choose a longer period, or clear the filters.",

  filters: {
    agent: (name: string) => `asked by ${name}`,
    action: (name: string) => `action ${name}`,
    rule: (name: string) => `rule ${name}`,
    risk: (level: string) => `${level} risk`,
    kind: (kind: string) => kind,
    status: (status: string) => status,
    asked: (who: string) => (who === "nobody" ? "nobody was asked" : "people were asked"),
    decided: (basis: string) => (basis === "people" ? "decided by people" : `decided by ${basis}`),
    person: (name: string) => `reviewed by ${name}`,
    happened: (what: string) => ({ escalated: "escalated", withdrawn: "approval withdrawn", reopened: "asked again" })[what] ?? what,
    hour: (hour: number) => `reviewed between ${hour}:00 and ${hour}:59`,
    weekday: (day: string) => `reviewed on a ${day}`,
    longer: (seconds: number) => `took longer than ${length(seconds)}`,
    shorter: (seconds: number) => `took at most ${length(seconds)}`,
    between: (from: string, to: string) => `opened ${from} – ${to}`,
  },

  tiles: {
    half: "Half decided within",
    most: "9 of 10 within",
    target: (target: number) => `target ${length(target)}`,
    within: "Within target",
    ofDecided: (count: number) => `of ${plural(count, "decision")} by people`,
    waiting: "Waiting now",
    oldest: (age: string) => `the oldest for ${age}`,
    nothingWaits: "nothing waits",
    expired: "Expired",
    escalated: "Escalated",
    withdrawn: "Approvals withdrawn",
    unasked: "Nobody asked",
    unaskedOf: (total: number) => `of ${plural(total, "hold")}`,
    ofAsked: (share: string) => `${share} of what people were asked`,
  },

  times: {
    title: "How long do decisions take?",
    said: (p50: number | null, p90: number | null, target: number, late: number, count: number) =>
      count === 0
        ? "People decided nothing in this period."
        : `Half of ${plural(count, "decision")} took at most ${length(p50)}, nine of ten at most ${length(p90)}. ${late === 0 ? "None" : share(late, count)} took longer than the target of ${length(target)}.`,
    half: "half (p50)",
    most: "nine of ten (p90)",
    target: (target: number) => `target ${length(target)}`,
    head: ["Opened", "Decided by people", "p50", "p90"],
    slot: (when: string, decided: number, p50: number | null, p90: number | null) => `${when}: ${plural(decided, "decision")}, half within ${length(p50)}, nine of ten within ${length(p90)}`,
  },
  risks: {
    title: "By risk",
    said: (worst: string | null) => (worst ? `By the median, ${worst} decisions take the longest.` : "Nothing to compare."),
    head: ["Risk", "Decided", "p50", "p90", "Late"],
    bar: (risk: string, p50: number | null, p90: number | null) => `${risk}: half within ${length(p50)}, nine of ten within ${length(p90)}`,
  },
  flow: {
    title: "What comes in, and what waits?",
    said: (opened: number, backlog: number, peak: number) => `People were asked ${plural(opened, "time")}. ${plural(backlog, "hold waits", "holds wait")} at the end of the period, ${peak.toLocaleString("en")} at the most.`,
    opened: "asked",
    waiting: "waiting at the end",
    head: ["From", "Asked", "Nobody asked", "Waiting at the end"],
    slot: (when: string, opened: number, backlog: number) => `${when}: asked ${plural(opened, "time")}, ${backlog.toLocaleString("en")} waiting at the end`,
  },
  ages: {
    title: "How old is what waits?",
    said: (count: number, oldest: string | null) => (oldest === null ? "Nothing waits." : `${plural(count, "hold waits", "holds wait")}; the oldest has been waiting for ${oldest}.`),
    head: ["Age", "Holds"],
    name: (from: number, to: number | null) => (to === null ? `over ${length(from)}` : from === 0 ? `under ${length(to)}` : `${length(from)} – ${length(to)}`),
  },
  people: {
    title: "Who carries the load?",
    said: (names: string[], count: number) => (names.length === 0 ? "Nobody reviewed anything in this period." : `${listed(names, "and")} gave most of ${plural(count, "review")}.`),
    head: ["Person", "Reviews", "Holds", "Median wait", "Withdrawn"],
    bar: (name: string, reviews: number, p50: number | null) => `${name}: ${plural(reviews, "review")}, half within ${length(p50)} of opening`,
  },
  hours: {
    title: "When do people decide?",
    said: (busiest: string | null, zone: string) => (busiest === null ? "Nobody reviewed anything in this period." : `Most reviews fall on ${busiest}. Hours are of ${zone}.`),
    days: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
    longDays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    at: (day: string, hour: number) => `${day} from ${hour} to ${hour + 1} o’clock`,
    cell: (day: string, hour: number, count: number) => `${day}, ${hour}:00–${hour + 1}:00: ${plural(count, "review")}`,
    head: ["Day", "Hour", "Reviews"],
  },
  behind: {
    title: "Holds behind this number",
    none: "No holds match.",
    many: (count: number) => `The newest ${count}. Narrow further to see others.`,
    close: "Close the list",
  },
};
