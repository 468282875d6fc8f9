import { expect, test } from "vitest";
import { completing, vocabulary } from "@/features/policy/completing";

const FILE = `rules:
  - id: deploy-staging # a comment: with a colon
    operations: [deploy, "restart"]
    environment: staging
    level: medium
  - id: deploy-production
    operations: [deploy]
    environment: production
    level: high
roles:
  - team_lead
  - tech_lead
`;
const known = vocabulary([FILE]);
const at = (text: string, always = false) => completing(text, text.length, known, always);

test("at the beginning of a line keys are offered, with their colon", () => {
  expect(at("rules:\n  - op")?.options).toEqual(["operations: "]);
  expect(at("    le")).toEqual({ from: 4, options: ["level: "] });
});

test("after a key its values are offered, those used most often first", () => {
  expect(at("    environment: st")?.options).toEqual(["staging"]);
  expect(at("    operations: [de")?.options).toEqual(["deploy"]);
  expect(at("    level: cr")?.options).toEqual(["critical"]);
});

test("in a list the values of its key are offered", () => {
  expect(at("roles:\n  - te")?.options).toEqual(["team_lead", "tech_lead"]);
});

test("one letter, a whole word and a comment offer nothing unless they are asked to", () => {
  expect(at("  l")).toBeNull();
  expect(at("    environment: staging")).toBeNull();
  expect(at("# le")).toBeNull();
  expect(at("    environment: ", true)?.options).toEqual(["production", "staging"]);
});
