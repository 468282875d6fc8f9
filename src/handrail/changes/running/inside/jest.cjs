// A reporter of Jest's: each test as it ends, on standard error.
"use strict";
const fs = require("fs");

const OUTCOMES = { passed: "passed", failed: "failed" };

module.exports = class Handrail {
  onTestCaseResult(test, result) {
    const root = process.cwd() + "/";
    const file = test.path.startsWith(root) ? test.path.slice(root.length) : test.path;
    const name = [...result.ancestorTitles, result.title].filter(Boolean).join(" > ");
    const said = { id: `${file}::${name}`, outcome: OUTCOMES[result.status] || "skipped" };
    said.seconds = (result.duration || 0) / 1000;
    if (result.failureMessages && result.failureMessages.length) said.message = result.failureMessages[0].slice(0, 500);
    fs.writeSync(2, "\x1e" + JSON.stringify(said) + "\n");
  }
};
