/** A part of the story in a few words. */
import { TEXTS } from "@/features/runs/texts";
import { line } from "@/lib/format";
import type { Part } from "@/lib/story";

const WORDS = TEXTS.entry;

export function momentWords(part: Part): string {
  switch (part.is) {
    case "message":
      return WORDS.message;
    case "tool":
      return WORDS.tool(line(part.name));
    case "hold":
      return WORDS.hold;
    case "step":
      return WORDS.step(line(part.node));
    case "effect":
      return WORDS.effect(line(part.name));
    case "file":
      return WORDS.file(line(part.path));
    case "test":
      return WORDS.test(line(part.name));
    case "mark":
      return line(part.words);
  }
}

/** How the run stood when only these parts had been told. */
export function statusAt(parts: readonly Part[]): "running" | "paused" {
  const asked = parts.findLastIndex((part) => part.is === "hold");
  const resumed = parts.findLastIndex((part) => part.is === "mark" && (part.of === "resumption" || part.of === "retry"));
  const stepped = parts.findLastIndex((part) => part.is === "step");
  return asked > resumed && asked > stepped ? "paused" : "running";
}
