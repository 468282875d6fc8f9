// A reporter of Mocha's: each test as it ends on standard error, and all of them in a report with the shape of `json`.
"use strict";
const fs = require("fs");

module.exports = function Handrail(runner) {
  const tests = [], pending = [], failures = [];
  const root = process.cwd() + "/";
  const described = (test, error) => ({
    title: test.title,
    fullTitle: test.fullTitle(),
    file: test.file || "",
    duration: test.duration || 0,
    err: error ? { message: String(error.message || error) } : {},
  });
  const say = (test, outcome, error) => {
    const file = (test.file || "").startsWith(root) ? test.file.slice(root.length) : test.file || "";
    const said = { id: `${file}::${test.fullTitle()}`, outcome, seconds: (test.duration || 0) / 1000 };
    if (error) said.message = String(error.message || error).slice(0, 500);
    fs.writeSync(2, "\x1e" + JSON.stringify(said) + "\n");
  };
  runner.on("pass", (test) => { tests.push(described(test)); say(test, "passed"); });
  runner.on("pending", (test) => { tests.push(described(test)); pending.push(described(test)); say(test, "skipped"); });
  runner.on("fail", (test, error) => {
    const isTest = test.type === "test";
    if (isTest) tests.push(described(test, error));
    failures.push(described(test, error));
    say(test, isTest ? "failed" : "errored", error);
  });
  runner.once("end", () => {
    const report = { stats: runner.stats || {}, tests, pending, failures };
    fs.writeFileSync("/out/mocha.json", JSON.stringify(report) + "\n");
  });
};
