/** Every word of these pages, in one place: to be read together, and to be translated. */

export const TEXTS = {
  diagram: {
    thisDiagramCannotBeDrawn: "This diagram cannot be drawn here. This is its text.",
    diagram: "Diagram",
    textOfDiagram: "Text of the diagram",
  },
} as const;
