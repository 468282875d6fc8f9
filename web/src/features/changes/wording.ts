/** A code change in words. */
import { sentLeftOut } from "@/features/changes/reviewing";
import type { Stage } from "@/features/changes/model";
import { line, plural } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { headline } from "@/lib/wording";

export const STAGE_WORDS: Record<Stage, string> = {
  intent_extraction: "Reading the request",
  pkg_query: "Looking at the code",
  planning: "Planning",
  impact_analysis: "Weighing the plan",
  editing: "Editing",
  testing: "Testing",
  verification: "Verifying",
  pr_creation: "Preparing to publish",
};

/** A repository by its last two names: "acme/shop". */
export function repositoryName(address: string): string {
  const path = line(address)
    .replace(/^[a-z+]+:\/\/[^/]+/i, "")
    .replace(/^[^/:]+@[^/:]+:/, "/")
    .replace(/\.git$|\/+$/g, "");
  return path.split("/").filter(Boolean).slice(-2).join("/") || line(address);
}

/** What people are asked about, also once it was amended: made of the action, of which a list of arguments would say less. */
export function askedOf(hold: Hold): string {
  const plan = hold.action?.args["plan"] as { kind?: unknown; title?: unknown } | undefined;
  if (hold.action?.name === "change.plan" && typeof plan?.kind === "string" && typeof plan.title === "string") return line(`${plan.kind}: ${plan.title}`);
  return hold.action?.name === "change.publish" && sentLeftOut(hold).length > 0 ? "The result, with parts left out" : headline(hold);
}

/** What happens on approval, made of the action itself. */
export function effectOf(hold: Hold): string {
  const args = hold.action?.args ?? {};
  const text = (name: string): string => (typeof args[name] === "string" ? line(args[name]) : "");
  const list = (name: string): unknown[] => (Array.isArray(args[name]) ? (args[name] as unknown[]) : []);
  switch (hold.action?.name) {
    case "change.plan": {
      const plan = args["plan"] as { tasks?: { files?: string[]; new_files?: string[] }[] } | undefined;
      const files = new Set((plan?.tasks ?? []).flatMap((task) => [...(task.files ?? []), ...(task.new_files ?? [])]));
      return `If approved, the agent may edit ${files.size === 1 ? "this file" : `these ${files.size} files`} and no others, and tests run in the sandbox. Nothing is published yet.`;
    }
    case "change.prepare": {
      const found = list("environments") as { manager?: string; hosts?: string[]; runs_code?: boolean }[];
      const hosts = [...new Set(found.flatMap((one) => one.hosts ?? []))];
      const code = found.some((one) => one.runs_code) ? " This runs code of the packages, in the sandbox." : "";
      return `If approved, dependencies are fetched with ${found.map((one) => one.manager).join(", ")}${hosts.length > 0 ? ` from ${line(hosts.join(", "))}` : ""}.${code}`;
    }
    case "change.publish": {
      const left = sentLeftOut(hold);
      if (left.length > 0) {
        const hunks = left.reduce((sum, one) => sum + one.hunks.length, 0);
        const whole = left.filter((one) => one.hunks.length === 0).length;
        const what = [whole > 0 ? plural(whole, "file") : "", hunks > 0 ? plural(hunks, "hunk") : ""].filter(Boolean).join(" and ");
        return `If approved, the change is tested and verified again without ${what}, and you are asked again. Nothing is published yet.`;
      }
      const count = list("commits").length;
      const commits = count === 1 ? "exactly this commit is" : `exactly these ${count} commits are`;
      const to = `branch ${text("branch")} of ${repositoryName(text("repository"))}`;
      return `If approved, ${commits} published as ${to}, to be merged into ${text("target_branch")}.`;
    }
    default:
      return "";
  }
}
