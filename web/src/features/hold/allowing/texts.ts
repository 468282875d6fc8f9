/** Every word of these pages, in one place: to be read together, and to be translated. */
import { plural } from "@/lib/format";

export const TEXTS = {
  allowDialog: {
    allowCallsLikeThis: "Allow calls like this",
    theBounds: "the bounds",
    isProposed: (shortId: string) => `${shortId} is proposed: it counts when the others have approved it.`,
    countsFromNow: (shortId: string) => `${shortId} counts from now.`,
    numberOfCalls: "Number of calls",
    unlimited: "Unlimited, if empty",
    total: (argument: string) => `Total ${argument}`,
    for: "For",
    n1Day: "1 day",
    days: (each: number) => `${each} days`,
    onlyInCase: (caseId: string) => `Only in the case ${caseId}`,
    reason: "Reason",
    countsOncePeopleHaveAgreed: (approvals: number, roles: string) => `Counts once ${approvals} people have agreed: ${roles}`,
    youAloneDecideThis: "You alone decide this: it counts at once",
    propose: "Propose",
    allow: "Allow",
  },
  allowLikeThis: {
    grant: "Grant",
    nobodyWasAsked: "Nobody was asked:",
    coversThisCall: "covers this call.",
    aGrant: "a grant",
    callsLikeThis: "Calls like this",
    ifYouWouldApproveThem: "if you would approve them every time",
    allowLikeThis: "Allow like this…",
  },
  boundField: {
    boundFor: (shown: string) => `Bound for ${shown}`,
    whateverAgentSends: "whatever the agent sends",
    least: (shown: string) => `Least ${shown}`,
    most: (shown: string) => `Most ${shown}`,
    valueOf: (shown: string) => `Value of ${shown}`,
    writeValuesAsJson: "Write values as JSON: texts in quotes, separated by commas.",
  },
  covered: {
    callsThatItWouldHave: "Calls that it would have covered",
    ofCallsInLast30: (calls: number, count: number) => `Of ${plural(calls, "call")} in the last 30 days it would have covered ${count}`,
    ofWhichNobodyApproved: (stopped: number) => `, ${stopped} of which nobody approved`,
    andMoreCalls: (count: number) => `and ${plural(count, "more call")}`,
  },
  bounds: {
    oneOf: "one of",
    beginsWith: "begins with",
  },
} as const;
