// A reporter of Vitest's, from version 3 on: each test as it ends, on standard error.
import { writeSync } from "node:fs";

const OUTCOMES = { passed: "passed", failed: "failed", skipped: "skipped" };

export default class Handrail {
  onTestCaseResult(test) {
    const titles = [];
    for (let each = test; each && each.type !== "module"; each = each.parent) titles.unshift(each.name);
    const root = process.cwd() + "/";
    const file = test.module.moduleId.startsWith(root) ? test.module.moduleId.slice(root.length) : test.module.moduleId;
    const result = test.result();
    const said = { id: `${file}::${titles.join(" > ")}`, outcome: OUTCOMES[result.state] || "errored" };
    said.seconds = (test.diagnostic()?.duration || 0) / 1000;
    if (result.errors?.length) said.message = String(result.errors[0].message).slice(0, 500);
    writeSync(2, "\x1e" + JSON.stringify(said) + "\n");
  }
}
