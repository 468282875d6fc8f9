/** The stages of a code change in words. */
import type { Stage } from "@/features/changes/model";
import { TEXTS } from "@/features/changes/texts";

const WORDS = TEXTS.wording;

export const STAGE_WORDS: Record<Stage, string> = {
  intent_extraction: WORDS.readingTheRequest,
  pkg_query: WORDS.lookingAtTheCode,
  planning: "Planning",
  impact_analysis: WORDS.weighingThePlan,
  editing: "Editing",
  testing: "Testing",
  verification: "Verifying",
  pr_creation: WORDS.preparingToPublish,
};
