import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { NothingBeside } from "@/components/desk";
import { Button } from "@/components/ui/button";
import { Code } from "@/components/ui/copy";
import { RegisterDialog } from "@/features/skills/RegisterDialog";
import { skillsQuery } from "@/lib/skills";

/** Beside the list while no skill is open: how to go on, or how to begin. */
export function NoSkillOpen() {
  const skills = useQuery(skillsQuery);
  const [registering, setRegistering] = useState(false);
  if (!skills.isSuccess) return null;
  if (skills.data.length > 0) {
    return (
      <NothingBeside title="Open a skill to read it.">
        <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>/</kbd> searches, <kbd>n</kbd> registers one.
      </NothingBeside>
    );
  }
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-2xl space-y-4 px-6 py-12">
        <h2 className="text-xl font-semibold">No skills yet</h2>
        <p className="text-ink-2">
          A skill is a folder with instructions for an agent and, usually, scripts. Skills from public collections work unchanged. Each one is
          scanned, and people decide whether it may be used. After that, anyone can run it and answer its questions.
        </p>
        <p className="text-ink-2">Name a repository or a folder of it:</p>
        <Code text="https://github.com/anthropics/skills/tree/main/skills/pdf" label="Copy address" />
        {/* where there is room, the list beside this has the button */}
        <Button tone="accent" className="md:hidden" onClick={() => setRegistering(true)}>
          Register…
        </Button>
        {registering ? <RegisterDialog onClose={() => setRegistering(false)} /> : null}
      </div>
    </div>
  );
}
