// Who imports whom, by folder: shared (lib, components, api) → features → app; no feature imports another. Fails where
// a file imports what it may not, whether at once or when it needs it, by `@/` or by a relative path.
import { readFileSync, readdirSync } from "node:fs";
import { join, normalize } from "node:path";
import typescript from "typescript";

const SOURCES = new URL("../src/", import.meta.url).pathname;
const SHARED = ["lib", "components", "api"];

/** Why a file may not import another, both as paths below src; undefined where it may. */
function refusal(importing, imported) {
  const [room, feature] = importing.split("/");
  const [other, otherFeature] = imported.split("/");
  if (SHARED.includes(room) && ["features", "app"].includes(other)) return `${room} is shared, and imports neither features nor app`;
  if (room === "lib" && other === "components") return "lib imports no components";
  if (room === "features" && other === "app") return "features do not import app";
  if (room === "features" && other === "features" && feature !== otherFeature)
    return "features do not import each other: share through lib or components, or compose in app";
  return undefined;
}

function refused(path) {
  const { importedFiles } = typescript.preProcessFile(readFileSync(join(SOURCES, path), "utf8"), true, true);
  return importedFiles.flatMap(({ fileName }) => {
    const inside = fileName.startsWith("@/") ? fileName.slice(2) : fileName.startsWith(".") && normalize(join(path, "..", fileName));
    const why = inside && refusal(path, inside);
    return why ? [`src/${path} imports ${fileName}: ${why}`] : [];
  });
}

const found = readdirSync(SOURCES, { recursive: true }).filter((path) => /\.tsx?$/.test(path)).flatMap(refused);
for (const line of found) console.error(line);
process.exitCode = found.length ? 1 : 0;
