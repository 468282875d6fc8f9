/** The evidence on a candidate for a skill, as the server writes it. */
import type { Schemas } from "@/lib/api";

interface Shown {
  path: string;
  size: number;
  text?: string;
  cut?: boolean;
}

export interface Evidence {
  findings: Schemas["FindingOut"][];
  files: Shown[];
  diff: string | null;
}

export function isSkillEvidence(action: string | undefined, evidence: unknown): evidence is Evidence {
  const { findings, files } = (evidence ?? {}) as Partial<Evidence>;
  return action === "skill.register" && Array.isArray(findings) && Array.isArray(files);
}
