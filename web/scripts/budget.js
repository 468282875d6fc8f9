// What opening a page costs: the scripts of the first page and of its route, compressed. Fails where it is too much.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const folder = new URL("../../src/handrail/web/", import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(`${folder}.vite/manifest.json`, "utf8"));
const MOST = 200_000;
const PAGES = {
  inbox: ["inbox/InboxPage"],
  hold: ["inbox/InboxPage", "hold/HoldPage"],
  run: ["runs/RunsPage", "runs/RunPage"],
  "start of a run": ["runs/RunsPage", "runs/StartPage"],
  changes: ["changes/ChangesPage"],
  change: ["changes/ChangePage"],
  "start of a change": ["changes/StartPage"],
  skill: ["skills/SkillsPage", "skills/SkillPage"],
  session: ["sessions/SessionsPage", "sessions/SessionPage"],
  "start of a session": ["sessions/SessionsPage", "sessions/StartPage"],
  agent: ["agents/AgentsPage", "agents/AgentPage"],
  insights: ["insights/InsightsPage"],
  policy: ["policy/PolicyPage"],
  audit: ["audit/AuditPage"],
  people: ["people/PeoplePage"],
  account: ["account/AccountPage"],
};

function scripts(entry, found = new Set()) {
  const chunk = manifest[entry];
  if (!chunk) throw new Error(`${entry} is not in the build's manifest: has it moved?`);
  if (!found.has(chunk.file)) {
    found.add(chunk.file);
    for (const other of chunk.imports ?? []) scripts(other, found);
  }
  return found;
}

let failed = false;
for (const [page, features] of Object.entries(PAGES)) {
  const entries = ["index.html", ...features.map((name) => `src/features/${name}.tsx`)];
  const files = new Set(entries.flatMap((entry) => [...scripts(entry)]));
  const size = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(folder + file), { level: 9 }).length, 0);
  console.log(`${page}: ${(size / 1000).toFixed(1)} KB of script (gzip), at most ${MOST / 1000} KB`);
  failed ||= size > MOST;
}
process.exit(failed ? 1 : 0);
