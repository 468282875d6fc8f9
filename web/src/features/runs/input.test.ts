import { describe, expect, it } from "vitest";
import { asking } from "@/features/runs/input";

const MESSAGES = { type: "array", items: { oneOf: [{ $ref: "#/$defs/AIMessage" }, { $ref: "#/$defs/HumanMessage" }] } };

describe("how a workflow's input is asked for", () => {
  it("as a message where it is a conversation", () => {
    expect(asking({ type: "object", properties: { messages: MESSAGES }, required: ["messages"] }).as).toBe("message");
  });

  it("as a form, without what only types need", () => {
    const schema = {
      title: "State",
      type: "object",
      $defs: { Size: { title: "Size", enum: ["s", "l"] } },
      properties: { size: { $ref: "#/$defs/Size" }, note: { anyOf: [{ type: "string" }, { type: "null" }], default: null, title: "Note" } },
    };
    expect(asking(schema)).toEqual({
      as: "form",
      schema: {
        type: "object",
        properties: { size: { title: "Size", enum: ["s", "l"] }, note: { type: "string", title: "Note" } },
      },
    });
  });

  it("as JSON, with the names of its fields, where a form would hinder", () => {
    const schema = { type: "object", properties: { task: { type: "object", additionalProperties: true } }, required: ["task"] };
    expect(asking(schema)).toEqual({ as: "json", fields: [{ name: "task", type: "object", needed: true, about: null }] });
  });

  it("not at all where it needs none", () => {
    expect(asking({ type: "object", properties: {} }).as).toBe("nothing");
  });
});
