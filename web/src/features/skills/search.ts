/** What the skills' pages keep in their address. */
import { text } from "@/lib/address";

export interface SkillSearch {
  /** What a skill is for. */
  text?: string;
  /** Which version is open; none: the one in force. */
  version?: number;
}

export function readSkillSearch(search: Record<string, unknown>): SkillSearch {
  const { version } = search;
  const sought = text(search["text"]);
  return {
    ...(sought ? { text: sought } : {}),
    ...(typeof version === "number" && Number.isInteger(version) && version > 0 ? { version } : {}),
  };
}
