import { expect, test } from "vitest";
import { inWords, levelTable, linesOf } from "@/features/policy/summary";

const SUMMARY = {
  "role tech_lead": "may approve low, medium",
  "role lead": "may approve low",
  "role cto": "may approve critical",
  "level high, who": "2 of cto, tech_lead, including cto",
  "level high, passkey": "must sign",
  "level low, who": "no approval needed",
  "rule cto-mail": "action notify_cto, cto is high",
  "route night": "notifies tech_lead by slack",
  redaction: "hides token",
};

test("roles are words where the sentence is about people, and stay names where it is about actions", () => {
  const said = Object.fromEntries(inWords(SUMMARY));
  expect(said["role tech lead"]).toBe("may approve low, medium");
  expect(said["level high, who"]).toBe("2 of CTO, tech lead, including CTO");
  expect(said["route night"]).toBe("notifies tech lead by slack");
  expect(said["rule cto-mail"]).toBe("action notify_cto, cto is high");
});

test("a policy without roles reads as it is", () => {
  expect(inWords({ redaction: "hides token" })).toEqual([["redaction", "hides token"]]);
});

test("levels are columns, and what they ask for are rows", () => {
  const lines = linesOf(inWords(SUMMARY), ["level"], []);
  const { levels, rows } = levelTable(lines);
  expect(levels).toEqual(["high", "low"]);
  expect(rows).toEqual([
    { name: "who", cells: ["2 of CTO, tech lead, including CTO", "no approval needed"] },
    { name: "passkey", cells: ["must sign", undefined] },
  ]);
});

test("what no group claims is among the others", () => {
  expect(linesOf(inWords(SUMMARY), [], ["role", "level", "rule"]).map(([subject]) => subject)).toEqual(["route night", "redaction"]);
});
