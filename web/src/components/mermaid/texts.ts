/** Every word of these pages, in one place: to be read together, and to be translated. */

export const TEXTS = {
  diagram: {
    thisDiagramCannotBeDrawn: "This diagram cannot be drawn here. This is its text.",
    diagram: "Diagram",
    textOfDiagram: "Text of the diagram",
    says: (from: string, to: string, text: string) => `${from} to ${to}: ${text}`,
    leads: (from: string, to: string, label: string) => `${from} to ${to}${label}`,
  },
} as const;
