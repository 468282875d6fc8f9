/** What the skills' pages keep in their address. */
export interface SkillSearch {
  /** What a skill shall do. */
  text?: string;
  /** Which version is open; none: the one in force. */
  version?: number;
}

export function readSkillSearch(search: Record<string, unknown>): SkillSearch {
  const { text, version } = search;
  return {
    ...((typeof text === "string" || typeof text === "number") && text !== "" ? { text: String(text) } : {}),
    ...(typeof version === "number" && Number.isInteger(version) && version > 0 ? { version } : {}),
  };
}
