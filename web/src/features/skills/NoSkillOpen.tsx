import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { NothingBeside } from "@/components/desk";
import { SkillTabs } from "@/components/skill-tabs";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { RegisterDialog } from "@/features/skills/RegisterDialog";
import { TEXTS } from "@/features/skills/texts";
import { skillsQuery } from "@/lib/skills";

const WORDS = TEXTS.noSkillOpen;

/** Beside the list while no skill is open: how to go on, or how to begin. */
export function NoSkillOpen() {
  const skills = useQuery(skillsQuery);
  const [registering, setRegistering] = useState(false);
  if (!skills.isSuccess) return null;
  if (skills.data.length > 0) {
    return (
      <NothingBeside title={WORDS.openSkillToReadIt}>
        <kbd>j</kbd> {WORDS.and} <kbd>k</kbd> {WORDS.move} <kbd>/</kbd> {WORDS.searches} <kbd>n</kbd> {WORDS.registersOne}
      </NothingBeside>
    );
  }
  return (
    <div className="h-full overflow-y-auto">
      {/* where there is room, the list beside this has the tabs, and the button below */}
      <div className="border-b border-line px-4 py-2.5 md:hidden">
        <SkillTabs at="/skills" />
      </div>
      <div className="mx-auto max-w-2xl space-y-4 px-6 py-12">
        <h1 className="text-xl font-semibold">{WORDS.noSkillsYet}</h1>
        <p className="text-ink-2">
          {WORDS.skillIsFolderWithInstructions}
        </p>
        <p className="text-ink-2">{WORDS.nameRepositoryOrFolderOf}</p>
        <Code text="https://github.com/anthropics/skills/tree/main/skills/pdf" label={WORDS.copyAddress} />
        <Button tone="accent" className="md:hidden" onClick={() => setRegistering(true)}>
          {WORDS.register}
        </Button>
        {registering ? <RegisterDialog onClose={() => setRegistering(false)} /> : null}
      </div>
    </div>
  );
}
