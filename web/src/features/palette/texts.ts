/** Every word of the palette. */
export const TEXTS = {
  title: "Go to or do anything",
  placeholder: "Page, action, hold, run, agent or person…",
  results: "What fits",
  none: "Nothing fits.",
  searching: "Searching…",
  groups: { pages: "Pages", actions: "Actions", holds: "Holds", runs: "Runs", agents: "Agents", people: "People" },
  hint: "↑ ↓ to move, Enter to open, Esc to close",
  person: (roles: string) => roles || "no roles",
};
