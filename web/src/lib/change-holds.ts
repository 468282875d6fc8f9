/** What a code change asks people, in words: made of the action itself. */
import { line, plural } from "@/lib/format";
import type { HoldRow } from "@/lib/holds";
import { TEXTS } from "@/lib/texts";

const WORDS = TEXTS.changeHolds;

/** A hold or its row: both say what is asked, and in which run. */
type Asking = Pick<HoldRow, "action" | "run_id">;

export interface Task {
  task: string;
  files: string[];
  new_files: string[];
  changes: string;
  tests: string[];
  weakens: string[];
  notes: string;
}

export interface Plan {
  kind: string;
  title: string;
  summary: string;
  tasks: Task[];
  criteria: string[];
  migration: string;
  rollback: string;
}

/** What a person leaves out of a result: a file by its path, or some of its hunks; none of them mean the whole file. */
export interface LeftOut {
  path: string;
  hunks: string[];
}

const NONE: LeftOut[] = [];

/** Only a run asks as one: a hold that somebody opened under the same name has no run. */
function ofChange(hold: Asking, name: "plan" | "prepare" | "publish"): boolean {
  return hold.run_id !== null && hold.action?.name === `change.${name}`;
}

export function isPublishing(hold: Asking): boolean {
  return ofChange(hold, "publish");
}

/** The plan that is decided; nothing where the hold is about something else. */
export function planOf(hold: Asking): Plan | null {
  const plan = hold.action?.args["plan"] as Partial<Plan> | undefined;
  const known = ofChange(hold, "plan") && typeof plan?.kind === "string" && typeof plan.title === "string" && Array.isArray(plan.tasks);
  return known ? (plan as Plan) : null;
}

export function sentLeftOut(hold: Asking): LeftOut[] {
  const sent = hold.action?.args["leave_out"];
  return Array.isArray(sent) ? (sent as { path: string; hunks?: string[] }[]).map(({ path, hunks = [] }) => ({ path, hunks })) : NONE;
}

/** A repository by its last two names: "acme/shop". */
export function repositoryName(address: string): string {
  const path = line(address)
    .replace(/^[a-z+]+:\/\/[^/]+/i, "")
    .replace(/^[^/:]+@[^/:]+:/, "/")
    .replace(/\.git$|\/+$/g, "");
  return path.split("/").filter(Boolean).slice(-2).join("/") || line(address);
}

/** What people are asked about, also once it was amended; nothing where a change asks nothing of its own. */
export function changeTitle(hold: Asking): string | null {
  const plan = planOf(hold);
  if (plan) return line(`${plan.kind}: ${plan.title}`);
  return isPublishing(hold) && sentLeftOut(hold).length > 0 ? WORDS.theResultWithPartsLeft : null;
}

/** What happens on approval. */
export function changeEffect(hold: Asking): string | null {
  const args = hold.action?.args ?? {};
  const plan = planOf(hold);
  if (plan) return planned(plan);
  if (ofChange(hold, "prepare")) return prepared(args);
  return isPublishing(hold) ? published(args, sentLeftOut(hold)) : null;
}

function planned(plan: Plan): string {
  const files = new Set(plan.tasks.flatMap((task) => [...task.files, ...task.new_files]));
  return WORDS.ifApprovedTheAgentMay(files.size === 1 ? WORDS.thisFile : WORDS.theseFiles(files.size));
}

type Args = Record<string, unknown>;

function prepared(args: Args): string {
  const found = (Array.isArray(args["environments"]) ? args["environments"] : []) as { manager?: string; hosts?: string[]; runs_code?: boolean }[];
  const hosts = [...new Set(found.flatMap((one) => one.hosts ?? []))];
  const code = found.some((one) => one.runs_code) ? WORDS.thisRunsCodeOfThe : "";
  return WORDS.ifApprovedDependenciesAreFetched(line(found.map((one) => one.manager).join(", ")), hosts.length > 0 ? WORDS.from(line(hosts.join(", "))) : "", code);
}

function published(args: Args, left: LeftOut[]): string {
  const text = (name: string): string => (typeof args[name] === "string" ? line(args[name]) : "");
  if (left.length > 0) {
    const hunks = left.reduce((sum, one) => sum + one.hunks.length, 0);
    const whole = left.filter((one) => one.hunks.length === 0).length;
    const what = [whole > 0 ? plural(whole, "file") : "", hunks > 0 ? plural(hunks, "hunk") : ""].filter(Boolean).join(" and ");
    return WORDS.ifApprovedTheChangeIs(what);
  }
  const count = Array.isArray(args["commits"]) ? args["commits"].length : 0;
  const commits = count === 1 ? WORDS.exactlyThisCommitIs : WORDS.exactlyTheseCommitsAre(count);
  return WORDS.ifApprovedPublishedAsBranch(commits, text("branch"), repositoryName(text("repository")), text("target_branch"));
}
