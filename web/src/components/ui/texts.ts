/** Every word of these pages, in one place: to be read together, and to be translated. */

export const TEXTS = {
  copy: {
    copied: "Copied",
    copyCode: "Copy code",
  },
  dialog: {
    close: "Close",
    nothingHasBeenSentOr: "Nothing has been sent or recorded.",
    closeAndLoseWhatYou: "Close and lose what you typed?",
    keepWriting: "Keep writing",
    closeAnyway: "Close anyway",
  },
  holdButton: {
    hold: "Hold…",
  },
  waiting: {
    loading: (what: string) => `Loading ${what}…`,
  },
} as const;
