import { expect, test } from "vitest";
import { currencyOf, looksOf } from "@/components/forms/looks";

test("each field gets the control that fits what may be said in it", () => {
  const schema = {
    type: "object",
    properties: {
      regions: { type: "array", uniqueItems: true, items: { enum: ["a", "b", "c", "d", "e"] } },
      size: { enum: ["s", "m", "l"] },
      country: { enum: ["a", "b", "c", "d", "e"] },
      notes: { type: "string", maxLength: 2000 },
      code: { type: "string", maxLength: 20 },
      steps: { type: "array", items: { type: "object", properties: { why: { type: "string", format: "textarea" } } } },
    },
  };
  const looks = looksOf(schema);
  expect(looks).toMatchObject({
    regions: { "ui:widget": "checkboxes" },
    size: { "ui:widget": "radio" },
    notes: { "ui:widget": "textarea" },
    steps: { items: { why: { "ui:widget": "textarea" } } },
  });
  expect(looks["country"]).toEqual({});
  expect(looks["code"]).toEqual({});
});

test("each way of a choice has its own looks", () => {
  const looks = looksOf({ oneOf: [{ properties: { text: { type: "string", maxLength: 500 } } }, { properties: {} }] });
  expect(looks["oneOf"]).toMatchObject([{ text: { "ui:widget": "textarea" } }, {}]);
});

test("a schema that contains itself ends", () => {
  const schema: Record<string, unknown> = { type: "object" };
  schema["properties"] = { again: schema };
  expect(looksOf(schema)).toBeTruthy();
});

test("money has a currency where the schema names one", () => {
  expect(currencyOf({ type: "number", "x-currency": "EUR" })).toBe("EUR");
  expect(currencyOf({ type: "number", format: "money" })).toBe("");
  expect(currencyOf({ type: "number", "x-currency": "<b>" })).toBeNull();
});
