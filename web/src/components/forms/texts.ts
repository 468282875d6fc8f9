/** Every word of these pages, in one place: to be read together, and to be translated. */

export const TEXTS = {
  theme: {
    required: "(required)",
    requiredTitle: "required",
    noneYet: "None yet.",
    add: "Add",
    moveUp: (name: string) => `Move ${name} up`,
    moveDown: (name: string) => `Move ${name} down`,
    remove: (name: string) => `Remove ${name}`,
    choose: "Choose…",
    yourTimeZone: (zone: string) => `your time zone, ${zone}`,
    entry: (more: number) => `entry ${more}`,
  },
} as const;
