/** Every word of these pages, in one place: to be read together, and to be translated. */

const size = (bytes: number) => (bytes < 1_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000).toLocaleString("en")} KB`);

export const TEXTS = {
  files: {
    choose: (several: boolean) => (several ? "Add files" : "Choose a file"),
    remove: (name: string) => `Remove ${name}`,
    size,
    tooLarge: (name: string, most: number) => `${name} is too large. All files of an answer together may have ${size(most)}.`,
    unreadable: (name: string) => `${name} could not be read.`,
    unnamed: "file",
  },
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
