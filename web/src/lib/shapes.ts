/** What a value of others looks like: a table, a test report, a picture. Nothing is left out by looking like something. */

type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

const MOST_COLUMNS = 8;
const LONGEST_CELL = 200;

/** The names of the columns, where several things with the same few plain fields stand in a list. */
export function columnsOf(list: readonly unknown[]): string[] | null {
  if (list.length < 2 || !list.every(isFields)) return null;
  const names = [...new Set(list.flatMap((row) => Object.keys(row)))];
  const fits = names.length > 0 && names.length <= MOST_COLUMNS && list.every((row) => Object.values(row).every((cell) => isScalar(cell) && String(cell).length <= LONGEST_CELL));
  // what few rows have is no column
  const filled = list.reduce((sum: number, row) => sum + Object.keys(row).length, 0);
  return fits && filled * 2 >= names.length * list.length ? names : null;
}

export interface TestRow {
  name: string;
  outcome: "passed" | "failed" | "skipped";
  message: string | null;
}

export interface TestReport {
  passed: number;
  failed: number;
  skipped: number;
  tests: TestRow[];
  /** All else that it says. */
  rest: Fields;
}

const OUTCOMES: Record<string, TestRow["outcome"]> = {
  passed: "passed", pass: "passed", ok: "passed", success: "passed",
  failed: "failed", fail: "failed", failure: "failed", error: "failed", errored: "failed", broken: "failed",
  skipped: "skipped", skip: "skipped", pending: "skipped", ignored: "skipped", xfail: "skipped", todo: "skipped",
};
const OWN = new Set(["passed", "failed", "failures", "errors", "skipped", "tests"]);

/** Counts of tests, with the tests themselves where they are given. */
export function reportOf(value: unknown): TestReport | null {
  if (!isFields(value) || !isCount(value["passed"])) return null;
  const failed = value["failed"] ?? value["failures"];
  if (!isCount(failed) || ![value["errors"], value["skipped"]].every((one) => one === undefined || isCount(one))) return null;
  const given = value["tests"];
  const tests = Array.isArray(given) ? given.map(testOf) : [];
  // a list that is not one of tests is shown as it is
  const known = tests.every((one) => one !== null);
  const rest = Object.entries(value).filter(([name]) => !OWN.has(name) || (name === "tests" && (!Array.isArray(given) || !known)));
  return {
    passed: value["passed"],
    failed: failed + ((value["errors"] as number | undefined) ?? 0),
    skipped: (value["skipped"] as number | undefined) ?? 0,
    tests: known ? tests : [],
    rest: Object.fromEntries(rest),
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

const NAMED = new Set(["name", "id", "outcome", "status", "result", "message", "error"]);

function testOf(value: unknown): TestRow | null {
  if (!isFields(value) || !Object.entries(value).every(([name, one]) => isScalar(one) && (NAMED.has(name) || typeof one !== "string"))) return null;
  const name = value["name"] ?? value["id"];
  const said = value["outcome"] ?? value["status"] ?? value["result"];
  const outcome = typeof said === "string" ? OUTCOMES[said.toLowerCase()] : undefined;
  if (typeof name !== "string" || !outcome) return null;
  const message = value["message"] ?? value["error"];
  return { name, outcome, message: typeof message === "string" ? message : null };
}

// no SVG: it can carry more than a picture
const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;
const LARGEST = 4_000_000;

export function isPicture(text: string): boolean {
  return text.length <= LARGEST && PICTURE.test(text);
}
