import { expect, test } from "vitest";
import { answerKind, isSecret } from "@/lib/answer";

test("no schema asks for text", () => {
  expect(answerKind(null)).toEqual({ as: "text" });
});

test("an enum is a choice, of any JSON value", () => {
  expect(answerKind({ enum: ["a", 2] })).toEqual({ as: "choice", choices: [{ value: "a", label: "a" }, { value: 2, label: "2" }] });
});

test("constants with titles are a choice by title", () => {
  expect(answerKind({ oneOf: [{ const: "eu", title: "Europe" }, { const: "us" }] })).toEqual({
    as: "choice",
    choices: [{ value: "eu", label: "Europe" }, { value: "us", label: "us" }],
  });
});

test("an object is a form", () => {
  expect(answerKind({ type: "object", properties: {} })).toEqual({ as: "form" });
});

test("a password anywhere in the schema makes the answer secret", () => {
  expect(isSecret({ properties: { key: { type: "string", format: "password" } } })).toBe(true);
  expect(isSecret({ properties: { key: { type: "string", writeOnly: true } } })).toBe(true);
  expect(isSecret({ properties: { key: { type: "string" } } })).toBe(false);
});
