/** Every word of these pages, in one place: to be read together, and to be translated. */
import { plural } from "@/lib/format";

export const TEXTS = {
  grantsPage: {
    grants: "Grants",
    standingPermissions: "Standing permissions: calls within these bounds are approved without asking again. Open a hold and choose “Allow like this” to make one.",
    alsoThoseThatAreOver: "Include ended grants",
    what: "grants",
    none: "There are none, so people are asked about every call that needs them.",
    by: (name: string) => `by ${name}`,
    revoke: "Revoke…",
    revokeNamed: (shortId: string) => `Revoke ${shortId}`,
    madeBy: "Made by",
    nobodyYet: "nobody yet",
    usedTimes: (used: number) => `. Used ${plural(used, "time")}`,
    spent: (spent: number) => `, ${spent} spent`,
    last: ", last",
    isRevoked: (shortId: string) => `${shortId} is revoked: people are asked again.`,
    reason: "Reason",
    revokeIt: "Revoke",
  },
} as const;
