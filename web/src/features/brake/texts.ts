/** Every word of these pages, in one place: to be read together, and to be translated. */

export const TEXTS = {
  brakeButton: {
    brake: "Brake",
    by: (name: string) => `by ${name}`,
    everyAgent: "Every agent",
    isStopped: "is stopped",
    liftTheBrake: "Lift the brake…",
  },
  liftBrake: {
    liftTheBrake: "Lift the brake",
    brakeIsLifted: "The brake is lifted.",
    reason: "Reason",
    let: "Let",
    allAgents: "all agents",
    continue: "continue",
  },
} as const;
