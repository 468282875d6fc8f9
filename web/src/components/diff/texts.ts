/** Every word of these pages, in one place: to be read together, and to be translated. */

export const TEXTS = {
  diffView: {
    unfoldAll: "Unfold all",
    foldAll: "Fold all",
    sideBySide: "Side by side",
    diff: "Diff",
    noName: "(no name)",
    from: (from: string) => ` from ${from}`,
  },
} as const;
