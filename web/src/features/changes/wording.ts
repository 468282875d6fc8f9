/** The stages of a code change in words. */
import type { Stage } from "@/features/changes/model";

export const STAGE_WORDS: Record<Stage, string> = {
  intent_extraction: "Reading the request",
  pkg_query: "Looking at the code",
  planning: "Planning",
  impact_analysis: "Weighing the plan",
  editing: "Editing",
  testing: "Testing",
  verification: "Verifying",
  pr_creation: "Preparing to publish",
};
